import { DomainError, type ProviderId } from '@palisade/domain';

/** The provider has no token with this id. */
export class TokenNotFoundError extends DomainError {
  override readonly name = 'TokenNotFoundError';
  readonly code = 'TOKEN_NOT_FOUND';

  constructor(
    readonly provider: ProviderId,
    readonly tokenId: string,
  ) {
    super(`provider "${provider}" has no token ${JSON.stringify(tokenId.slice(0, 80))}`);
  }
}
