import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import {
  type ChangeContext,
  type ProviderId,
  ProviderNotFoundError,
  type ProviderToken,
  Store,
} from '@palisade/domain';
import { InvalidRequestError } from '@palisade/platform';
import { TokenCache } from '../authentication/token-cache.js';
import { type IssuedToken, issueToken, type TokenDraft, tokenState } from './issued-token.js';
import { TokenEndedError, TokenNotFoundError } from './providers.errors.js';

export interface Rotation {
  /** How long the old token goes on working. */
  readonly overlapSeconds: number;
  /** End of the new token; unless given, it lives as long as the old one was meant to. */
  readonly expiresAt?: Date;
}

/** The secrets that providers authenticate with. What changes here holds for the next request to this process. */
@Injectable()
export class TokensService {
  constructor(
    private readonly store: Store,
    private readonly cache: TokenCache,
  ) {}

  /** @throws {ProviderNotFoundError} {@link InvalidRequestError} */
  async issue(provider: ProviderId, draft: TokenDraft, change: ChangeContext): Promise<IssuedToken> {
    requireFuture(draft.expiresAt, change.at);
    const issued = issueToken(provider, draft, change.at);
    await this.store.providers.addToken(issued.token, change);
    this.cache.clear();
    return issued;
  }

  /** In order of creation, ended ones too. @throws {ProviderNotFoundError} */
  async list(provider: ProviderId): Promise<ProviderToken[]> {
    if ((await this.store.providers.find(provider)) === undefined) {
      throw new ProviderNotFoundError(provider);
    }
    const tokens = await this.store.providers.listTokens(provider);
    // Identifiers are UUIDv7, so they sort by time.
    return tokens.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /**
   * A successor of the same kind and description; the old token ends after the overlap.
   *
   * @throws {TokenNotFoundError} {@link TokenEndedError} {@link InvalidRequestError}
   */
  async rotate(provider: ProviderId, tokenId: string, rotation: Rotation, change: ChangeContext): Promise<IssuedToken> {
    const tokens = await this.store.providers.listTokens(provider);
    const old = tokens.find(({ id }) => id === tokenId);
    if (old === undefined) {
      throw new TokenNotFoundError(provider, tokenId);
    }
    if (tokenState(old, change.at) !== 'active') {
      throw new TokenEndedError(tokenId);
    }
    const { kind, description } = old;
    const expiresAt = rotation.expiresAt ?? sameLifetime(old, change.at);
    // The successor comes first: if the second step fails, nobody is locked out and rotating again is safe.
    const issued = await this.issue(provider, { kind, description, expiresAt }, change);
    const end = new Date(change.at.getTime() + rotation.overlapSeconds * 1000);
    await this.store.providers.expireToken(provider, tokenId, end, change);
    this.cache.clear();
    return issued;
  }

  /** Ends a token now; revoking it again changes nothing. @throws {TokenNotFoundError} */
  async revoke(provider: ProviderId, tokenId: string, change: ChangeContext): Promise<void> {
    const revoked = isUuid(tokenId) ? await this.store.providers.revokeToken(provider, tokenId, change) : undefined;
    this.cache.clear();
    if (revoked === undefined) {
      throw new TokenNotFoundError(provider, tokenId);
    }
  }
}

function requireFuture(expiresAt: Date | undefined, at: Date): void {
  if (expiresAt !== undefined && expiresAt <= at) {
    throw new InvalidRequestError('expires_at', 'a time in the future');
  }
}

function sameLifetime({ createdAt, expiresAt }: ProviderToken, from: Date): Date | undefined {
  return expiresAt && new Date(from.getTime() + expiresAt.getTime() - createdAt.getTime());
}
