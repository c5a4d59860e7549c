import type { ChangeContext } from '../log/log-record.js';
import type { ProviderId } from '../identifiers.js';
import type { SchemaExtension } from './schema.js';

/** What an identity provider expects where it and the RFC contradict each other; see docs/idp/. */
export const DIALECTS = ['rfc', 'entra', 'okta'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** How the service treats one provider's traffic. */
export interface ProviderSettings {
  readonly dialect: Dialect;
  /** A repeated create answers with the first result, or with 409 uniqueness. */
  readonly repeatCreate: 'return' | 'conflict';
  /** Whether a group may name members that have not been pushed yet. */
  readonly unknownMembers: 'reject' | 'accept';
  readonly extensions: readonly SchemaExtension[];
  readonly trustedIssuers: readonly TrustedIssuer[];
}

/** Tokens of an external issuer (workload identity federation) that authenticate this provider. */
export interface TrustedIssuer {
  /** Exact `iss`. */
  readonly issuer: string;
  /** One of the token's `aud`. */
  readonly audience: string;
  /** Exact `sub`; required for a provisioner. */
  readonly subject?: string;
  readonly jwksUri: string;
  /** `provisioner` may do all of SCIM; `user` only `/Me`, as the user whose userName is in `userClaim`. */
  readonly role: 'provisioner' | 'user';
  readonly userClaim?: string;
}

export interface Provider {
  readonly id: ProviderId;
  readonly displayName?: string;
  readonly settings: ProviderSettings;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

export const DEFAULT_PROVIDER_SETTINGS: ProviderSettings = {
  dialect: 'rfc',
  repeatCreate: 'return',
  unknownMembers: 'reject',
  extensions: [],
  trustedIssuers: [],
};

/** A secret of a provider; only its digest is kept. */
export interface ProviderToken {
  /** UUIDv7. */
  readonly id: string;
  readonly provider: ProviderId;
  /** `bearer`: presented on SCIM requests. `client`: the secret of an OAuth 2.0 client, presented at the token endpoint only. */
  readonly kind: 'bearer' | 'client';
  readonly description?: string;
  /** SHA-256 of the secret, hexadecimal. */
  readonly digest: string;
  /** The secret's last four characters, to tell tokens apart. */
  readonly hint: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly lastUsedAt?: Date;
  readonly revokedAt?: Date;
}

export interface ProviderDraft {
  readonly displayName?: string;
  readonly settings: ProviderSettings;
}

/** What a key signs: access tokens for SCIM, or seals of the log. */
export type SigningPurpose = 'access-token' | 'log';

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

  /** Removes a provider with its tokens, users, groups and memberships; suspends its groups' bindings. @throws {ProviderNotFoundError} */
  abstract delete(id: ProviderId, change: ChangeContext): Promise<void>;

  /** Providers whose settings trust this issuer. */
  abstract findByIssuer(issuer: string): Promise<Provider[]>;

  /** @throws {ProviderNotFoundError} */
  abstract addToken(token: ProviderToken, change: ChangeContext): Promise<void>;

  /** Searches the tokens of all providers, expired and revoked ones included: the caller decides. */
  abstract findTokenByDigest(digest: string): Promise<ProviderToken | undefined>;

  abstract listTokens(provider: ProviderId): Promise<ProviderToken[]>;

  /** How many unrevoked tokens of all providers end in the period, which includes `until` but not `after`. */
  abstract countTokensEnding(period: { readonly after: Date; readonly until: Date }): Promise<number>;

  /** Undefined when the provider has no such token; revoking twice keeps the first time. */
  abstract revokeToken(
    provider: ProviderId,
    tokenId: string,
    change: ChangeContext,
  ): Promise<ProviderToken | undefined>;

  /** Makes a token expire (rotation), never later than it would have. Undefined when there is no such token. */
  abstract expireToken(
    provider: ProviderId,
    tokenId: string,
    expiresAt: Date,
    change: ChangeContext,
  ): Promise<ProviderToken | undefined>;

  /** Notes that a token was used; that is not in the log. */
  abstract touchToken(tokenId: string, usedAt: Date): Promise<void>;

  /** The private JWK that signs for a purpose; the first caller's proposal is kept, every replica gets the same. */
  abstract getOrCreateSigningKey(purpose: SigningPurpose, propose: () => Promise<string>): Promise<string>;
}
