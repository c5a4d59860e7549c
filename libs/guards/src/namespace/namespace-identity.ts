import type { NamespaceId, TenantId } from '@palisade/domain';
import { NamespaceAmbiguousError, NamespaceNotFoundError } from './namespace.errors.js';

/** What proves an identity, the strongest first. */
export const IDENTITY_METHODS = ['certificate', 'jwt', 'api_key'] as const;
export type IdentityMethod = (typeof IDENTITY_METHODS)[number];

/** Who calls, and for which namespace; all of it comes from credentials, nothing from what the caller claims otherwise. */
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

/** The identity that one credential proves. */
export interface IdentityClaim {
  readonly method: IdentityMethod;
  /** The namespaces for which its holder may call; one unless it is a token with a list. */
  readonly namespaces: readonly NamespaceId[];
  readonly clientId: string;
  readonly userId?: string;
  readonly tenantId?: TenantId;
}

/**
 * The identity that credentials have in common, for the requested namespace; undefined when they contradict each other. The
 * client comes from the strongest credential, user and tenant from any that names them.
 *
 * @throws {NamespaceNotFoundError} when the requested namespace is not the caller's
 * @throws {NamespaceAmbiguousError} when the caller has several, and none was requested
 */
export function resolveIdentity(
  claims: readonly IdentityClaim[],
  requested: string | undefined,
): NamespaceIdentity | undefined {
  const [strongest] = claims.toSorted((a, b) => rankOf(a) - rankOf(b));
  const users = new Set(claims.flatMap(({ userId }) => userId ?? []));
  const tenants = new Set(claims.flatMap(({ tenantId }) => tenantId ?? []));
  const namespaces = commonNamespaces(claims);
  if (strongest === undefined || namespaces.length === 0 || users.size > 1 || tenants.size > 1) {
    return undefined;
  }
  const [userId] = users;
  const [tenantId] = tenants;
  return {
    namespace: choose(namespaces, requested),
    clientId: strongest.clientId,
    ...(userId === undefined ? {} : { userId }),
    ...(tenantId === undefined ? {} : { tenantId }),
    method: strongest.method,
  };
}

function choose(namespaces: readonly NamespaceId[], requested: string | undefined): NamespaceId {
  if (requested !== undefined) {
    const namespace = namespaces.find((own) => own === requested);
    if (namespace === undefined) {
      throw new NamespaceNotFoundError(requested);
    }
    return namespace;
  }
  const [only] = namespaces;
  if (only === undefined || namespaces.length > 1) {
    throw new NamespaceAmbiguousError(`the credential is for ${namespaces.length}`);
  }
  return only;
}

function commonNamespaces(claims: readonly IdentityClaim[]): NamespaceId[] {
  const [first, ...others] = claims.map(({ namespaces }) => new Set(namespaces));
  return [...others.reduce((common, own) => common.intersection(own), first ?? new Set<NamespaceId>())];
}

function rankOf({ method }: IdentityClaim): number {
  return IDENTITY_METHODS.indexOf(method);
}
