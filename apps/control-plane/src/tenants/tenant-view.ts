import type { NamespacePattern, Proxy, Tenant, TenantId } from '@palisade/domain';
import type { TenantRouting } from '../routing/table/tenant-routing.js';

/** A tenant as callers see it. */
export interface TenantView {
  readonly id: TenantId;
  readonly namespacePatterns: readonly NamespacePattern[];
  /** Absent for the one that the configuration names. */
  readonly registered?: Tenant;
  readonly routing: TenantRouting;
  /** Of its pools; absent in lists, and while the store is away. */
  readonly healthyProxies?: readonly Proxy[];
}
