import { ProviderBusyError, type ProviderId, StoreUnavailableError } from '@palisade/domain';
import {
  BackendUnavailableError,
  PoolClosedError,
  PoolExhaustedError,
  PoolTimeoutError,
} from '@palisade/isolation/postgres';
import { DatabaseError } from 'pg';

/** Errors of sockets and of name resolution. */
const NETWORK_ERROR_CODES: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Errors of `pg` without a code, by message, with the seconds after which to retry. */
const DRIVER_ERRORS: ReadonlyMap<string, number> = new Map([
  ['Connection terminated unexpectedly', 2],
  ['Connection terminated', 2],
  ['Client has encountered a connection error and is not queryable', 2],
  ['Client was closed and is not queryable', 2],
]);

/** SQLSTATEs, or classes of them, of a server that cannot serve anybody at the moment. */
const UNAVAILABLE_STATES: readonly (readonly [prefix: string, retryAfterSeconds: number])[] = [
  ['08', 2], // connection exception
  ['25P03', 1], // this process hung within a transaction
  ['25006', 2], // read-only: a standby that has not been promoted yet
  ['28', 5], // the role may not connect
  ['3D000', 5], // the database does not exist
  ['40001', 1], // serialization failure, after all repetitions
  ['40P01', 1], // deadlock, after all repetitions
  ['53', 2], // too many connections, out of memory or disk
  ['57014', 5], // statement timeout
  ['57P', 2], // shutting down, crashed, starting up
  ['58', 5], // I/O error of the server
];

/** Whether a transaction lost against another one and can simply be retried. */
export function isTransactionConflict(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01');
}

/** The unique constraint or index that a statement violated. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof DatabaseError && error.code === '23505' ? error.constraint : undefined;
}

/** {@link StoreUnavailableError} for an error of a server that cannot be reached or used now; any other error unchanged. */
export function toStoreError(error: unknown): unknown {
  const retryAfterSeconds = retryAfter(error);
  return retryAfterSeconds === undefined ? error : new StoreUnavailableError(retryAfterSeconds, { cause: error });
}

const RETRY_AFTER_CLOSE_SECONDS = 5;

function retryAfter(error: unknown): number | undefined {
  if (error instanceof PoolTimeoutError || error instanceof PoolExhaustedError) {
    return error.retryAfterSeconds;
  }
  if (error instanceof BackendUnavailableError) {
    return Math.max(error.retryAfterSeconds, retryAfter(error.cause) ?? 0);
  }
  if (error instanceof PoolClosedError) {
    return RETRY_AFTER_CLOSE_SECONDS;
  }
  if (error instanceof DatabaseError) {
    return UNAVAILABLE_STATES.find(([prefix]) => error.code?.startsWith(prefix))?.[1];
  }
  if (typeof error !== 'object' || error === null) {
    return undefined;
  }
  // Several addresses of one host that all fail come as one AggregateError with the code of the first.
  if ('code' in error && NETWORK_ERROR_CODES.has(String(error.code))) {
    return 2;
  }
  return 'message' in error ? DRIVER_ERRORS.get(String(error.message)) : undefined;
}

/**
 * The error for a provider whose own load is the reason that it got no connection: too many of its operations waited, or all
 * of its connections were in use for too long. Undefined for any other error.
 */
export function toProviderBusy(error: unknown, provider: ProviderId): ProviderBusyError | undefined {
  if (error instanceof PoolExhaustedError && error.bound === 'queued') {
    return new ProviderBusyError(provider, error.max, { cause: error });
  }
  if (error instanceof PoolTimeoutError && error.pool.active >= error.pool.max) {
    return new ProviderBusyError(provider, error.pool.queued, { cause: error });
  }
  return undefined;
}
