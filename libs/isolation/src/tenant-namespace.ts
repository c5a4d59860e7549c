import type { NamespaceId, TenantId } from '@palisade/domain';

/** A namespace, and the tenant that it belongs to. */
export interface TenantNamespace {
  readonly tenantId: TenantId;
  readonly namespace: NamespaceId;
}

/** The tenant of a namespace where no control plane says which that is: one of the same name. Both ids have one grammar. */
export function ownTenant(namespace: NamespaceId): TenantId {
  return namespace as string as TenantId;
}

/** The namespace that has the name of its tenant. */
export function mainNamespace(tenantId: TenantId): NamespaceId {
  return tenantId as string as NamespaceId;
}
