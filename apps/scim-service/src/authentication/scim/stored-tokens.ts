import { Injectable, Optional } from '@nestjs/common';
import type { ProviderToken } from '@palisade/domain';
import { UnauthenticatedError, type ProviderPrincipal } from '@palisade/guards';
import type { AccessGrant } from '../access-tokens/access-tokens.js';
import { TokenCache } from './token-cache.js';
import { TokenUsage } from './token-usage.js';

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
