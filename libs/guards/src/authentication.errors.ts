import { DomainError } from '@palisade/domain';
import type { AdminScope } from './principal.js';

const REALM = 'palisade';

/** A WWW-Authenticate value (RFC 6750 §3). The attributes' values must hold neither quotes nor backslashes. */
export function bearerChallenge(attributes: Readonly<Record<string, string>> = {}): string {
  const parameters = Object.entries({ realm: REALM, ...attributes }).map(([name, value]) => `${name}="${value}"`);
  return `Bearer ${parameters.join(', ')}`;
}

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

/** The caller is known but may not do this: 403, with `challenge` as WWW-Authenticate when a scope is missing. */
export class ForbiddenError extends DomainError {
  readonly code = 'FORBIDDEN';

  constructor(
    message: string,
    readonly missingScope?: AdminScope,
  ) {
    super(message);
  }

  /** Value of the WWW-Authenticate header (RFC 6750 §3.1, insufficient_scope). */
  get challenge(): string | undefined {
    return this.missingScope && bearerChallenge({ error: 'insufficient_scope', scope: this.missingScope });
  }
}

/** The keys of a token's issuer cannot be loaded, so the token can be neither accepted nor rejected: 503, retry later. */
export class IssuerUnavailableError extends DomainError {
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
