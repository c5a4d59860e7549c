import {
  PatternIndex,
  type NamespacePattern,
  type PoolName,
  type Proxy,
  type Tenant,
  type TenantChanges,
  type TenantId,
} from '@palisade/domain';
import { ConfigurationError } from '@palisade/platform';
import type { DesiredState } from './desired-state.js';
import type { HealthSettings } from '../../config/control-plane-settings.js';
import { FlatDestinations, type Admission } from './flat-destinations.js';
import { poolsOf } from './pool-servers.js';
import { findUnplaceableRules } from './placement.js';
import type { Route } from './route.js';
import { RouteFinder, type Owner, type RoutingConfiguration } from './route-finder.js';
import { TenantDirectory, type PlacedTenant, type PoolMembers, type TenantSearch } from './tenant-directory.js';

const NO_CLAIMS: ReadonlyMap<NamespacePattern, PoolName> = new Map();

/**
 * Where every namespace goes: what tenants have registered, over what the configuration says. A namespace that a pattern
 * of a tenant has goes where the tenant is placed (its own pool, else that of the first rule that holds for it). All
 * others, and those of tenants without a place, go where `namespace_routing` says, then where a rule without conditions
 * says, then to the default pool, and then nowhere. Where the installation serves a single tenant, everything is its own.
 *
 * Looking a namespace up costs the same with 100,000 tenants as with ten; changing a tenant costs as much as it has
 * patterns, and entries of `namespace_routing` within them.
 */
export class RoutingTable {
  readonly finder: RouteFinder;
  private readonly directory = new TenantDirectory();
  /** Patterns of tenants that have a place: all namespaces of one go there. */
  private readonly placed = new PatternIndex<Route>();
  /** Patterns of tenants that have none: each namespace has a route of its own. */
  private readonly unplaced = new PatternIndex<Owner>();
  private readonly destinations: FlatDestinations;
  private currentRevision = 0;

  /** @throws {ConfigurationError} when a rule promises tenants proxies of their own that no pool has */
  constructor(readonly configuration: RoutingConfiguration) {
    const problems = findUnplaceableRules(configuration);
    if (problems.length > 0) {
      throw new ConfigurationError(problems);
    }
    this.finder = new RouteFinder(configuration);
    this.destinations = new FlatDestinations(this.finder.routes);
  }

  /** The revision of the registry that the table shows. */
  get revision(): number {
    return this.currentRevision;
  }

  get tenantCount(): number {
    return this.directory.size;
  }

  /** Takes over what has changed in the registry. */
  apply({ revision, changed, removed }: Pick<TenantChanges, 'revision' | 'changed' | 'removed'>): void {
    const before = new Map(changed.map(({ id }) => [id, this.forget(id)]));
    for (const id of removed) {
      this.destinations.put(id, this.forget(id), NO_CLAIMS, revision);
    }
    for (const tenant of changed) {
      this.destinations.put(tenant.id, before.get(tenant.id) ?? [], this.add(this.place(tenant)), revision);
    }
    this.currentRevision = revision;
  }

  /** Forgets all tenants, as if there had never been a registry. Returns who they were. */
  clear(): TenantId[] {
    const removed = this.directory.list({ limit: this.directory.size }).map(({ tenant }) => tenant.id);
    this.apply({ revision: 0, changed: [], removed });
    return removed;
  }

  /** Where requests of a namespace go; undefined: nowhere. */
  resolve(namespace: string): Route | undefined {
    return (
      this.placed.find(namespace) ??
      this.finder.only ??
      this.finder.unplaced(this.unplaced.find(namespace) ?? this.finder.unregistered, namespace)
    );
  }

  /** The tenant that a pattern gives the namespace to. */
  ownerOf(namespace: string): Owner | undefined {
    const route = this.placed.find(namespace);
    const tenant = route?.tenant && this.directory.find(route.tenant);
    return tenant === undefined
      ? this.unplaced.find(namespace)
      : { tenant: tenant.tenant.id, pattern: route?.pattern, placement: tenant.placement };
  }

  find(id: TenantId): PlacedTenant | undefined {
    return this.directory.find(id);
  }

  list(search: TenantSearch): PlacedTenant[] {
    return this.directory.list(search);
  }

  membersOf(pool: PoolName): PoolMembers {
    return this.directory.membersOf(pool);
  }

  /** What routing makes of a tenant, registered or not. */
  place(tenant: Tenant): PlacedTenant {
    const placement = this.finder.placements.of(tenant);
    return { tenant, placement, pools: this.finder.reachablePools({ placement }, tenant.namespacePatterns) };
  }

  /** Whether tenants wait to be sent to a pool until its proxies know them. */
  get isWaiting(): boolean {
    return this.destinations.isWaiting;
  }

  /**
   * Makes tenants that wait part of the desired state, if the proxies of their pools have acknowledged them or that has taken
   * too long.
   */
  admit(proxies: readonly Proxy[], maxWaitMs: number): Admission {
    const byPool = Map.groupBy(proxies, ({ pool }) => pool);
    return this.destinations.admit({ byPool, revision: this.currentRevision }, maxWaitMs);
  }

  /** Waits for nobody: the load balancer may have had everything before. */
  admitAll(): void {
    this.destinations.admitAll();
  }

  /**
   * What the load balancer has to do, at one moment. Leaves others their turn while it is put together.
   *
   * @param proxies of all pools
   */
  async desiredState(
    proxies: readonly Proxy[],
    { panicThresholdPercent }: Pick<HealthSettings, 'panicThresholdPercent'>,
  ): Promise<DesiredState> {
    const { moment, ...destinations } = await this.destinations.copy(() => ({
      revision: this.currentRevision,
      pools: poolsOf(this.poolNames(), proxies, panicThresholdPercent),
    }));
    const fallback = this.finder.only?.pool ?? this.finder.fallbackPool;
    return { ...moment, ...destinations, ...(fallback !== undefined && { fallback }) };
  }

  /** Those of the configuration, and those that tenants name though the configuration has them no more. */
  private poolNames(): PoolName[] {
    return [...this.configuration.pools.keys(), ...this.directory.pools()];
  }

  /** Returns which pools its patterns have for themselves. */
  private add(placed: PlacedTenant): ReadonlyMap<NamespacePattern, PoolName> {
    const { tenant, placement } = placed;
    const claims = new Map<NamespacePattern, PoolName>();
    if (this.finder.only !== undefined) {
      return claims;
    }
    this.directory.set(placed);
    for (const pattern of tenant.namespacePatterns) {
      const owner = { tenant: tenant.id, pattern, placement };
      const route = this.finder.placed(owner);
      if (route === undefined) {
        this.unplaced.set(pattern, owner);
      } else {
        this.placed.set(pattern, route);
        claims.set(pattern, route.pool);
      }
    }
    return claims;
  }

  /**
   * Leaves alone what another tenant has taken over: changes that were made one after the other may come in one go. Returns
   * the patterns of the tenant.
   */
  private forget(id: TenantId): readonly NamespacePattern[] {
    const known = this.directory.find(id);
    this.directory.delete(id);
    const patterns = known?.tenant.namespacePatterns ?? [];
    for (const pattern of patterns) {
      for (const index of [this.placed, this.unplaced]) {
        if (index.get(pattern)?.tenant === id) {
          index.delete(pattern);
        }
      }
    }
    return patterns;
  }
}
