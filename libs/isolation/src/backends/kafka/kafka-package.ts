import type * as Package from '@platformatic/kafka';
import { requirePackage } from '../require-package.js';

const kafka = requirePackage<typeof Package>('Kafka', '@platformatic/kafka');

export const {
  AclOperations,
  AclPermissionTypes,
  Admin,
  AuthenticationError,
  ClientQuotaEntityTypes,
  ClientQuotaKeys,
  ClientQuotaMatchTypes,
  Consumer,
  NetworkError,
  ProduceAcks,
  Producer,
  ProtocolError,
  ResourcePatternTypes,
  ResourceTypes,
  ScramMechanisms,
  TimeoutError,
  UserError,
  alterUserScramCredentialsV0,
  describeUserScramCredentialsV0,
} = kafka;

export const kListApis: typeof Package.kListApis = kafka.kListApis;

export type Admin = Package.Admin;
export type Consumer = Package.Consumer;
export type Producer = Package.Producer;
export type NetworkError = Package.NetworkError;
export type ProtocolError = Package.ProtocolError;
export type TimeoutError = Package.TimeoutError;
export type UserError = Package.UserError;
