import { DomainError } from '@palisade/domain';
import type { PoolSnapshot, PoolsState } from './pool-snapshot.js';

/** The backend accepts no connection (of this namespace) at the moment; the work was not started. The cause says why. */
export class BackendUnavailableError extends DomainError {
  readonly code = 'BACKEND_UNAVAILABLE';
  readonly retryAfterSeconds: number;

  constructor(
    readonly pool: string,
    readonly failures: number,
    retryInMs: number,
    options?: ErrorOptions,
  ) {
    const retryAfterSeconds = Math.max(1, Math.ceil(retryInMs / 1000));
    super(`"${pool}" cannot connect: ${failures} attempts in a row failed, retry in ${retryAfterSeconds} s`, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The pools are shutting down and give no lease any more; the work was not started. */
export class PoolClosedError extends DomainError {
  readonly code = 'POOL_CLOSED';

  constructor(
    readonly pool: string,
    readonly state: PoolsState,
  ) {
    super(`pool "${pool}" gives no leases: it is ${state}`);
  }
}

/** A bound on those who wait is reached, of one namespace's queue or of all namespaces; the work was not started. */
export class PoolExhaustedError extends DomainError {
  readonly code = 'POOL_EXHAUSTED';

  constructor(
    readonly pool: string,
    readonly bound: 'queued' | 'namespaces',
    readonly max: number,
    readonly retryAfterSeconds = 1,
  ) {
    super(`pool "${pool}" is exhausted (${bound}=${max}/${max})`);
  }
}

/** No connection came free for this namespace in time; the work was not started. */
export class PoolTimeoutError extends DomainError {
  readonly code = 'POOL_TIMEOUT';

  constructor(
    readonly pool: PoolSnapshot,
    readonly waitedMs: number,
    readonly retryAfterSeconds = 1,
  ) {
    super(
      `pool "${pool.name}" gave no lease within ${Math.round(waitedMs)} ms (active=${pool.active}/${pool.max}, queued=${pool.queued})`,
    );
  }
}

/**
 * The backend rejects who connects for this namespace (its credentials, its database), which says nothing about the
 * server. Drivers throw it from `connect`, so that the pools hold back this namespace and nobody else.
 */
export class NamespaceRejectedError extends DomainError {
  readonly code = 'NAMESPACE_REJECTED';

  constructor(
    readonly namespace: string,
    options: ErrorOptions,
  ) {
    const { cause } = options;
    super(`namespace "${namespace}" cannot log in: ${cause instanceof Error ? cause.message : String(cause)}`, options);
  }
}
