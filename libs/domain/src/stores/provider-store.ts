import type { ChangeContext } from '../audit/audit-event.js';
import type { ProviderId } from '../identifiers.js';
import type { Provider, ProviderSettings, ProviderToken } from '../providers/provider.js';

export interface ProviderDraft {
  readonly displayName?: string;
  readonly settings: ProviderSettings;
}

/**
 * Identity providers and the digests of their secrets. Every method throws {@link StoreUnavailableError} while the
 * store cannot be reached.
 */
export abstract class ProviderStore {
  /** @throws {ProviderExistsError} */
  abstract create(id: ProviderId, draft: ProviderDraft, change: ChangeContext): Promise<Provider>;

  /** @throws {ProviderNotFoundError} */
  abstract update(id: ProviderId, draft: ProviderDraft, change: ChangeContext): Promise<Provider>;

  abstract find(id: ProviderId): Promise<Provider | undefined>;

  /** Providers after `after`, in order of id. */
  abstract list(page: { readonly after?: ProviderId; readonly limit: number }): Promise<Provider[]>;

  /** Removes a provider with its tokens, users, groups and memberships. Bindings stay and dangle. @throws {ProviderNotFoundError} */
  abstract delete(id: ProviderId, change: ChangeContext): Promise<void>;

  /** Providers whose settings trust this issuer. */
  abstract findByIssuer(issuer: string): Promise<Provider[]>;

  /** @throws {ProviderNotFoundError} */
  abstract addToken(token: ProviderToken, change: ChangeContext): Promise<void>;

  /** Of all providers, expired and revoked ones included: the caller decides. */
  abstract findTokenByDigest(digest: string): Promise<ProviderToken | undefined>;

  abstract listTokens(provider: ProviderId): Promise<ProviderToken[]>;

  /** How many tokens of all providers end after one moment, and at another one or before; those that are revoked left out. */
  abstract countTokensEnding(period: { readonly after: Date; readonly until: Date }): Promise<number>;

  /** Undefined when the provider has no such token; revoking twice keeps the first time. */
  abstract revokeToken(
    provider: ProviderId,
    tokenId: string,
    change: ChangeContext,
  ): Promise<ProviderToken | undefined>;

  /** Sets an end to a token's life (rotation); never later than the end it had. Undefined when there is no such token. */
  abstract expireToken(
    provider: ProviderId,
    tokenId: string,
    expiresAt: Date,
    change: ChangeContext,
  ): Promise<ProviderToken | undefined>;

  /** Notes that a token was used; not audited. */
  abstract touchToken(tokenId: string, usedAt: Date): Promise<void>;

  /** The private JWK that signs access tokens; the first caller's proposal is kept, every replica gets the same. */
  abstract getOrCreateSigningKey(propose: () => Promise<string>): Promise<string>;
}
