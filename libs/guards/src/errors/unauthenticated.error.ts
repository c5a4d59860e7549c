import { DomainError } from '@palisade/domain';
import { bearerChallenge } from './bearer-challenge.js';

export type RejectionReason = 'missing' | 'malformed' | 'invalid' | 'expired' | 'revoked';

const MESSAGES: Readonly<Record<RejectionReason, string>> = {
  missing: 'this resource needs a bearer token in the Authorization header',
  malformed: 'the Authorization header holds no well-formed bearer token',
  invalid: 'the bearer token is not valid here',
  expired: 'the bearer token has expired',
  revoked: 'the bearer token has been revoked',
};

/** The caller could not be identified: 401 with `challenge` as WWW-Authenticate. */
export class UnauthenticatedError extends DomainError {
  override readonly name = 'UnauthenticatedError';
  readonly code = 'UNAUTHENTICATED';

  constructor(
    readonly reason: RejectionReason,
    options?: ErrorOptions,
  ) {
    super(MESSAGES[reason], options);
  }

  /** Value of the WWW-Authenticate header (RFC 6750 §3). */
  get challenge(): string {
    // RFC 6750 §3.1: a request without authentication information gets no "error code or other error information".
    return this.reason === 'missing'
      ? bearerChallenge()
      : bearerChallenge({ error: 'invalid_token', error_description: this.message });
  }
}
