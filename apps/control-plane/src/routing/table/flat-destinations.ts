import type { NamespacePattern, PoolName, ProxyId, TenantId } from '@palisade/domain';
import type { Destination, OverdueTenant } from './desired-state.js';
import { proxiesBehind, type Acknowledgements } from './governed-proxies.js';
import type { NamespaceRoutes } from './namespace-routes.js';
import { LiveDestinations, type Destinations } from './live-destinations.js';

/** What a tenant is to have, and does not have yet. */
interface Waiting {
  /** What the proxies of the pools must have applied. */
  readonly revision: number;
  readonly sinceMs: number;
  readonly claims: ReadonlyMap<NamespacePattern, PoolName>;
}

/** What has become part of the desired state. */
export interface Admission {
  readonly admitted: number;
  /** Those of them that were not waited for any longer. */
  readonly overdue: readonly OverdueTenant[];
}

/**
 * Tenants and `namespace_routing` as one list of patterns, as the load balancer has it. There the most exact pattern has a
 * namespace, whoever's it is; so a tenant also gets what entries that are more exact than its own patterns would take
 * from it: the namespaces that both have.
 *
 * Make before break: what a tenant gets waits until the proxies of its pool know it, and stays where it was meanwhile.
 */
export class FlatDestinations {
  private readonly live = new LiveDestinations();
  private readonly holders = new Map<NamespacePattern, TenantId>();
  private readonly waiting = new Map<TenantId, Waiting>();

  constructor(
    private readonly routes: NamespaceRoutes,
    private readonly now: () => number = () => performance.now(),
  ) {
    for (const { pattern, destination } of routes.all()) {
      this.live.set(pattern, destination);
    }
  }

  /**
   * Where the namespaces of a tenant's patterns are to go from a revision on. What it had before and is not among them goes
   * elsewhere at once.
   */
  put(
    tenant: TenantId,
    before: readonly NamespacePattern[],
    claims: ReadonlyMap<NamespacePattern, PoolName>,
    revision: number,
  ): void {
    for (const pattern of before) {
      if (!claims.has(pattern)) {
        this.release(tenant, pattern);
      }
    }
    const news = [...claims].filter(
      ([pattern, pool]) => this.holders.get(pattern) !== tenant || this.live.get(pattern) !== pool,
    );
    if (news.length === 0) {
      this.waiting.delete(tenant);
    } else {
      const sinceMs = this.waiting.get(tenant)?.sinceMs ?? this.now();
      this.waiting.set(tenant, { revision, sinceMs, claims: new Map(news) });
    }
  }

  /** Sends tenants where they are to go if the proxies there know them, or have been waited for so long. */
  admit(acknowledgements: Acknowledgements, maxWaitMs: number): Admission {
    const before = this.waiting.size;
    const overdue: OverdueTenant[] = [];
    for (const [tenant, { revision, sinceMs, claims }] of this.waiting) {
      const proxies = behind(acknowledgements, claims, revision);
      if (proxies.length > 0 && this.now() - sinceMs < maxWaitMs) {
        continue;
      }
      this.claim(tenant, claims);
      if (proxies.length > 0) {
        overdue.push({ tenant, revision, proxies });
      }
    }
    return { admitted: before - this.waiting.size, overdue };
  }

  get isWaiting(): boolean {
    return this.waiting.size > 0;
  }

  /** Waits for nobody: the load balancer may have had all of it before. */
  admitAll(): void {
    this.waiting.forEach(({ claims }, tenant) => this.claim(tenant, claims));
  }

  /** See {@link LiveDestinations.copy}. */
  copy<T>(complete: () => T): Promise<Destinations & { readonly moment: T }> {
    return this.live.copy(complete);
  }

  private claim(tenant: TenantId, claims: Waiting['claims']): void {
    this.waiting.delete(tenant);
    for (const [pattern, pool] of claims) {
      for (const each of this.routes.claimsOf(pattern)) {
        this.holders.set(each, tenant);
        this.live.set(each, pool);
      }
    }
  }

  /** Leaves alone what another tenant has taken over. */
  private release(tenant: TenantId, pattern: NamespacePattern): void {
    for (const each of this.routes.claimsOf(pattern)) {
      if (this.holders.get(each) === tenant) {
        this.holders.delete(each);
        this.restore(each, this.routes.get(each)?.destination);
      }
    }
  }

  private restore(pattern: NamespacePattern, destination: Destination | undefined): void {
    if (destination === undefined) {
      this.live.delete(pattern);
    } else {
      this.live.set(pattern, destination);
    }
  }
}

function behind(acknowledgements: Acknowledgements, claims: Waiting['claims'], revision: number): ProxyId[] {
  return [...new Set(claims.values())].flatMap((pool) =>
    proxiesBehind(acknowledgements, pool, revision).map(({ id }) => id),
  );
}
