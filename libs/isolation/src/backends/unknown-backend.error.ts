import { DomainError } from '@palisade/domain';

/** No backend of this name, or of this kind, is configured. */
export class UnknownBackendError extends DomainError {
  override readonly name = 'UnknownBackendError';
  readonly code = 'UNKNOWN_BACKEND';

  constructor(
    readonly backend: string,
    expected: string,
  ) {
    super(`backend ${JSON.stringify(backend.slice(0, 80))}: expected ${expected}`);
  }
}
