import type { ProviderId } from '../identifiers.js';
import type { SchemaExtension } from '../schema/attribute.js';

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
