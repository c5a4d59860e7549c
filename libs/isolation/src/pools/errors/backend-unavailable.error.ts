import { DomainError } from '@palisade/domain';

/** The backend accepts no connection (of this namespace) at the moment; the work was not started. The cause says why. */
export class BackendUnavailableError extends DomainError {
  override readonly name = 'BackendUnavailableError';
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
