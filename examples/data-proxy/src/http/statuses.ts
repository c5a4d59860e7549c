import type { StatusByCode } from '@palisade/platform';

/** The HTTP status for each error code of the isolation library, the guard and this program. */
export const DATA_PROXY_STATUSES: StatusByCode = {
  INVALID_IDENTIFIER: 400,
  INVALID_NAME: 400,
  INVALID_RECORD: 400,
  INVALID_VALUES: 400,
  ISOLATION_LEVEL: 400,
  NAMESPACE_AMBIGUOUS: 400,
  ROW_LIMIT: 400,
  SESSION_REQUIRED: 400,

  ACCESS_DENIED: 403,
  // While the request was under way.
  KEY_REMOVED: 403,

  KEY_NOT_FOUND: 404,
  NAMESPACE_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  STATEMENT_NOT_FOUND: 404,
  TOPIC_NOT_FOUND: 404,

  // There is no transaction to commit, or one is open already.
  INVALID_STATEMENT: 409,
  SESSION_ENDED: 409,
  STATEMENT_REJECTED: 409,
  TRANSACTION_FAILED: 409,

  // The namespace belongs to another pool: the load balancer knows where by now.
  NAMESPACE_NOT_SERVED: 421,

  CPU_LIMIT: 429,
  MEMORY_LIMIT: 429,
  RATE_LIMITED: 429,

  // Only for the log: the client has disconnected.
  CLIENT_GONE: 499,

  // This proxy has no such backend.
  UNKNOWN_BACKEND: 501,
  KAFKA_REJECTED: 502,

  ACCESS_UNKNOWN: 503,
  AUDIT_UNAVAILABLE: 503,
  BACKEND_UNAVAILABLE: 503,
  CONNECTION_LOST: 503,
  ISOLATION_CLOSED: 503,
  NO_POLICY: 503,
  NO_RESPONDERS: 503,
  POOL_CLOSED: 503,
  POOL_EXHAUSTED: 503,
  POOL_TIMEOUT: 503,
  SESSIONS_CLOSED: 503,
  SESSION_BUSY: 503,
  SESSION_LIMIT: 503,
  TOO_MANY_CONSUMERS: 503,
  TOPIC_UNAVAILABLE: 503,

  BACKEND_TIMEOUT: 504,
};
