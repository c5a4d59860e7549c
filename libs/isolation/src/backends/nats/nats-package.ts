import type * as Package from '@nats-io/transport-node';
import { requirePackage } from '../require-package.js';

export const {
  AuthorizationError,
  ClosedConnectionError,
  NoRespondersError,
  PermissionViolationError,
  RequestError,
  TimeoutError,
  UserAuthenticationExpiredError,
  connect,
  credsAuthenticator,
  headers,
  jwtAuthenticator,
  nkeyAuthenticator,
} = requirePackage<typeof Package>('NATS', '@nats-io/transport-node');
