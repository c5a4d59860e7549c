import { DomainError } from '@palisade/domain';

/** The token is revoked or expired, so there is nothing to hand over to a new one. */
export class TokenEndedError extends DomainError {
  override readonly name = 'TokenEndedError';
  readonly code = 'TOKEN_ENDED';

  constructor(readonly tokenId: string) {
    super(`token ${tokenId} has expired or is revoked; create a new one instead`);
  }
}
