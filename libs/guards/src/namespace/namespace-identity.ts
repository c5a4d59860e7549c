import type { NamespaceId, TenantId } from '@palisade/domain';

/** What proves an identity, the strongest first. */
export const IDENTITY_METHODS = ['certificate', 'jwt', 'api_key'] as const;
export type IdentityMethod = (typeof IDENTITY_METHODS)[number];

/** Who calls, and for which namespace; all of it from credentials, none of it from what the caller says. */
export interface NamespaceIdentity {
  readonly namespace: NamespaceId;
  /** The workload: a SPIFFE ID, a DNS name, a token's client, `api-key:<id>`. */
  readonly clientId: string;
  /** On whose behalf it calls, where a token says so. */
  readonly userId?: string;
  readonly tenantId?: TenantId;
  /** The strongest of the credentials that were presented. */
  readonly method: IdentityMethod;
}

/** What one credential says. */
export interface IdentityClaim {
  readonly method: IdentityMethod;
  /** Those that its holder may call for; one unless it is a token with a list. */
  readonly namespaces: readonly NamespaceId[];
  readonly clientId: string;
  readonly userId?: string;
  readonly tenantId?: TenantId;
}
