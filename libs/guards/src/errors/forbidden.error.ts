import { DomainError } from '@palisade/domain';
import type { AdminScope } from '../principal.js';
import { bearerChallenge } from './bearer-challenge.js';

/** The caller is known and may not do this: 403, with `challenge` as WWW-Authenticate when a scope is what is missing. */
export class ForbiddenError extends DomainError {
  override readonly name = 'ForbiddenError';
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
