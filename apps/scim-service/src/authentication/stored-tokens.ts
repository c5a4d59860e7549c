import { Injectable, Logger, Optional } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type ProviderToken, Store } from '@palisade/domain';
import { type ProviderPrincipal, UnauthenticatedError } from '@palisade/guards';
import type { AccessGrant } from './access-tokens.js';
import { TokenCache } from './token-cache.js';

const MAX_TOKENS = 10_000;
const INTERVAL_MS = 60_000;

/** Notes in the store when a token was last used: exact to a minute, and never in the way of a request. */
@Injectable()
export class TokenUsage {
  private readonly logger = new Logger(TokenUsage.name);
  private readonly notedAt = new LRUCache<string, number>({ max: MAX_TOKENS });

  constructor(private readonly store: Store) {}

  note(token: ProviderToken, now: number): void {
    const last = this.notedAt.get(token.id) ?? token.lastUsedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
    if (now - last < INTERVAL_MS) {
      return;
    }
    this.notedAt.set(token.id, now);
    // Nobody waits for it: a request must not fail or slow down because its token could not be marked.
    void this.write(token.id, new Date(now));
  }

  private async write(tokenId: string, usedAt: Date): Promise<void> {
    try {
      await this.store.providers.touchToken(tokenId, usedAt);
    } catch (error) {
      this.logger.warn(`the use of token ${tokenId} could not be noted`, error);
    }
  }
}

/** The tokens that providers have been given through the admin API. */
@Injectable()
export class StoredTokens {
  /** @param now milliseconds since 1970 */
  constructor(
    private readonly tokens: TokenCache,
    private readonly usage: TokenUsage,
    @Optional() private readonly now: () => number = Date.now,
  ) {}

  /** @throws {UnauthenticatedError} unless the digest is that of a usable bearer token */
  async identify(digest: string): Promise<ProviderPrincipal> {
    const token = this.requireUsable(await this.tokens.findByDigest(digest), 'bearer');
    this.usage.note(token, this.now());
    return { kind: 'provider', provider: token.provider, actor: `token:${token.id}` };
  }

  /**
   * The client is looked up each time that one of its access tokens is used, so that revoking it ends them all.
   *
   * @throws {UnauthenticatedError} unless the client is usable
   */
  async identifyClient({ provider, clientId }: AccessGrant): Promise<ProviderPrincipal> {
    this.requireUsable(await this.tokens.findClient(provider, clientId), 'client');
    return { kind: 'provider', provider, actor: `client:${clientId}` };
  }

  /**
   * The client that proves itself with its secret.
   *
   * @throws {UnauthenticatedError} unless both belong together and the client is usable
   */
  async identifyClientBySecret(clientId: string, secretDigest: string): Promise<ProviderToken> {
    const token = this.requireUsable(await this.tokens.findByDigest(secretDigest), 'client');
    if (token.id !== clientId) {
      throw new UnauthenticatedError('invalid');
    }
    this.usage.note(token, this.now());
    return token;
  }

  private requireUsable(token: ProviderToken | undefined, kind: ProviderToken['kind']): ProviderToken {
    if (token === undefined || token.kind !== kind) {
      throw new UnauthenticatedError('invalid');
    }
    if (token.revokedAt !== undefined) {
      throw new UnauthenticatedError('revoked');
    }
    if (token.expiresAt !== undefined && token.expiresAt.getTime() <= this.now()) {
      throw new UnauthenticatedError('expired');
    }
    return token;
  }
}
