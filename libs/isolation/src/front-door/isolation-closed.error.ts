import { DomainError } from '@palisade/domain';

/** The service is shutting down and has waited long enough for the work; whether the backend has done it is not known. */
export class IsolationClosedError extends DomainError {
  override readonly name = 'IsolationClosedError';
  readonly code = 'ISOLATION_CLOSED';

  constructor(readonly waitedMs: number) {
    super(`work was still under way ${waitedMs} ms after the beginning of the shutdown`);
  }
}
