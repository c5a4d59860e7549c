import { DomainError } from './domain.error.js';

/** The store cannot be reached or is shutting down; whether the last change was made is unknown, repeating it is safe. */
export class StoreUnavailableError extends DomainError {
  readonly code = 'STORE_UNAVAILABLE';

  constructor(
    readonly retryAfterSeconds: number,
    options?: ErrorOptions,
  ) {
    super(`the store is unavailable, retry in ${retryAfterSeconds} s`, options);
  }
}

/** The resource is not at the version that the request named; nothing was changed. */
export class PreconditionFailedError extends DomainError {
  readonly code = 'PRECONDITION_FAILED';

  constructor(
    readonly expected: string,
    readonly current: string,
  ) {
    super(`the resource is at version ${current}, the request demands ${expected}`);
  }
}

/** Another source manages the tenant or proxy and would undo the change; nothing was changed. */
export class ManagedElsewhereError extends DomainError {
  readonly code = 'MANAGED_ELSEWHERE';

  constructor(
    readonly kind: 'tenant' | 'proxy',
    readonly id: string,
    readonly source: string,
  ) {
    super(`${kind} "${id}" is managed by ${source}; change it there`);
  }
}

/** Another replica has become the leader; nothing was written. */
export class LeaseLostError extends DomainError {
  readonly code = 'LEASE_LOST';

  constructor(
    readonly lease: string,
    readonly epoch: number,
  ) {
    super(`the lease "${lease}" of epoch ${epoch} has gone to another holder`);
  }
}
