import { DomainError } from '@palisade/domain';

/** The keys of a token's issuer cannot be loaded, so the token can be neither accepted nor refused: 503, retry later. */
export class IssuerUnavailableError extends DomainError {
  override readonly name = 'IssuerUnavailableError';
  readonly code = 'ISSUER_UNAVAILABLE';
  readonly retryAfterSeconds = 30;

  constructor(
    readonly issuer: string,
    options?: ErrorOptions,
  ) {
    super(
      `the keys of the token issuer ${JSON.stringify(issuer.slice(0, 200))} cannot be loaded, retry in 30 s`,
      options,
    );
  }
}
