import { DomainError } from './domain.error.js';

/** The resource is not at the version that the request named; nothing was changed. */
export class PreconditionFailedError extends DomainError {
  override readonly name = 'PreconditionFailedError';
  readonly code = 'PRECONDITION_FAILED';

  constructor(
    readonly expected: string,
    readonly current: string,
  ) {
    super(`the resource is at version ${current}, the request demands ${expected}`);
  }
}
