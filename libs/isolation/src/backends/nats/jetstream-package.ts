import type * as Package from '@nats-io/jetstream';
import { requirePackage } from '../require-package.js';

export const {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  jetstream,
  jetstreamManager,
} = requirePackage<typeof Package>('NATS', '@nats-io/jetstream');
