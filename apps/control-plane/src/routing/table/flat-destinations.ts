import type { NamespacePattern, PoolName, TenantId } from '@palisade/domain';
import type { Destination } from './desired-state.js';
import type { NamespaceRoutes } from './namespace-routes.js';
import { LiveDestinations, type Destinations } from './live-destinations.js';

/**
 * Tenants and `namespace_routing` as one list of patterns, as the load balancer has it. There the most exact pattern has a
 * namespace, whoever's it is; so a tenant also gets what entries that are more exact than its own patterns would take
 * from it: the namespaces that both have.
 */
export class FlatDestinations {
  private readonly live = new LiveDestinations();
  private readonly holders = new Map<NamespacePattern, TenantId>();

  constructor(private readonly routes: NamespaceRoutes) {
    for (const { pattern, destination } of routes.all()) {
      this.live.set(pattern, destination);
    }
  }

  /** Sends the namespaces of a tenant's pattern to its pool. */
  claim(tenant: TenantId, pattern: NamespacePattern, pool: PoolName): void {
    for (const each of this.routes.claimsOf(pattern)) {
      this.holders.set(each, tenant);
      this.live.set(each, pool);
    }
  }

  /** Undoes a claim, unless another tenant has taken it over. */
  release(tenant: TenantId, pattern: NamespacePattern): void {
    for (const each of this.routes.claimsOf(pattern)) {
      if (this.holders.get(each) === tenant) {
        this.holders.delete(each);
        this.restore(each, this.routes.get(each)?.destination);
      }
    }
  }

  /** See {@link LiveDestinations.copy}. */
  copy<T>(complete: () => T): Promise<Destinations & { readonly moment: T }> {
    return this.live.copy(complete);
  }

  private restore(pattern: NamespacePattern, destination: Destination | undefined): void {
    if (destination === undefined) {
      this.live.delete(pattern);
    } else {
      this.live.set(pattern, destination);
    }
  }
}
