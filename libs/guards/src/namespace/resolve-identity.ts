import type { NamespaceId } from '@palisade/domain';
import { NamespaceAmbiguousError } from './errors/namespace-ambiguous.error.js';
import { NamespaceNotFoundError } from './errors/namespace-not-found.error.js';
import { IDENTITY_METHODS, type IdentityClaim, type NamespaceIdentity } from './namespace-identity.js';

/**
 * The identity that credentials have in common, for the namespace that was requested; undefined when they contradict each
 * other. Who calls is what the strongest credential says; on whose behalf, and of which tenant, whichever says so.
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
