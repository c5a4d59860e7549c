import {
  literalPrefix,
  patternShape,
  type IsolationLevel,
  type NamespacePattern,
  type PoolName,
  type TenantId,
} from '@palisade/domain';
import type { ControlPlaneSettings } from '../../config/control-plane-settings.js';
import { NamespaceRoutes, type SharedPattern } from './namespace-routes.js';
import { Placements, singleTenantPool, type Placement } from './placement.js';
import type { Route } from './route.js';

export type RoutingConfiguration = Pick<ControlPlaneSettings, 'deployment' | 'pools' | 'routing' | 'isolation'>;

/** What is known of a namespace besides its name. */
export interface Owner {
  readonly tenant?: TenantId;
  /** The tenant's pattern that has the namespace. */
  readonly pattern?: NamespacePattern;
  readonly placement: Placement;
}

/** Turns placements into routes, as the configuration says; what is registered does not matter here. */
export class RouteFinder {
  readonly placements: Placements;
  readonly routes: NamespaceRoutes;
  /** For a namespace without a tenant: only a rule without conditions applies to it. */
  readonly unregistered: Owner;
  /** The route of every namespace, when the installation serves a single tenant. */
  readonly only?: Route;
  /** Each pool by itself: the tenants that go nowhere else share it. */
  private readonly alone: ReadonlyMap<PoolName, ReadonlySet<PoolName>>;

  constructor(private readonly configuration: RoutingConfiguration) {
    this.placements = new Placements(configuration);
    this.routes = new NamespaceRoutes(configuration.routing.namespaceRoutes);
    this.alone = new Map([...configuration.pools.keys()].map((pool) => [pool, new Set([pool])]));
    this.unregistered = { placement: this.placements.of({}) };
    const { model, tenantId } = configuration.deployment;
    if (model === 'single_tenant') {
      const placement = { ...this.unregistered.placement, deployment: 'single_tenant' as const };
      const terms = this.terms(placement, singleTenantPool(configuration));
      this.only = { ...terms, ...(tenantId !== undefined && { tenant: tenantId }), chosenBy: 'deployment' };
    }
  }

  /** The route of all namespaces of the owner; undefined when it depends on the namespace. */
  placed({ tenant, pattern, placement }: Owner): Route | undefined {
    const { pool, chosenBy } = placement;
    return pool === undefined || chosenBy === undefined || tenant === undefined
      ? undefined
      : { ...this.terms(placement, pool), tenant, ...(pattern !== undefined && { pattern }), chosenBy };
  }

  /** The route of a namespace for which its owner has no place. */
  unplaced(owner: Owner, namespace: string): Route | undefined {
    const shared = this.routes.find(namespace);
    if (shared === undefined) {
      return this.fallback(owner);
    }
    const { pool, entry } = shared.partOf(namespace);
    const terms = this.terms({ ...owner.placement, deployment: 'multi_tenant' }, pool);
    return { ...terms, ...tenantOf(owner), chosenBy: 'namespace_routing', pattern: shared.pattern, entry };
  }

  /** The route of a namespace that nothing but its owner says anything about. */
  fallback(owner: Owner): Route | undefined {
    const { pool } = owner.placement;
    if (pool !== undefined) {
      return { ...this.terms(owner.placement, pool), ...tenantOf(owner), chosenBy: 'rule' };
    }
    const { defaultPool } = this.configuration.routing;
    return defaultPool && { ...this.terms(owner.placement, defaultPool), ...tenantOf(owner), chosenBy: 'default_pool' };
  }

  /** Where namespaces go that neither a tenant nor `namespace_routing` has a pool for. */
  get fallbackPool(): PoolName | undefined {
    return this.unregistered.placement.pool ?? this.configuration.routing.defaultPool;
  }

  /** The pools to which namespaces of these patterns may go. Nowhere is not among them. */
  reachablePools({ placement }: Owner, patterns: readonly NamespacePattern[]): ReadonlySet<PoolName> {
    if (placement.pool !== undefined) {
      return this.alone.get(placement.pool) ?? new Set([placement.pool]);
    }
    const { defaultPool } = this.configuration.routing;
    const pools = patterns.flatMap((pattern) => {
      const candidates = this.routes.overlapping(pattern);
      const whole = candidates.findIndex((shared) => hasWhole(shared, pattern));
      const reached = (whole === -1 ? candidates : candidates.slice(0, whole + 1)).flatMap(({ parts }) => parts);
      const others = whole === -1 && defaultPool !== undefined ? [defaultPool] : [];
      return [...reached.map(({ pool }) => pool), ...others];
    });
    const [pool, ...others] = new Set(pools);
    const alone = pool !== undefined && others.length === 0 ? this.alone.get(pool) : undefined;
    return alone ?? new Set(pools);
  }

  /** A pool that the configuration does not have gets the strictest level: nothing allows sharing there. */
  isolationLevelOf(pool: PoolName): IsolationLevel {
    return this.configuration.pools.get(pool)?.isolationLevel ?? 'session';
  }

  private terms(
    { deployment, rule, isolationLevel, connectionPools, resourceLimits }: Placement,
    pool: PoolName,
  ): Pick<Route, 'deployment' | 'pool' | 'isolationLevel' | 'connectionPools' | 'resourceLimits' | 'rule'> {
    const level = isolationLevel ?? this.isolationLevelOf(pool);
    return {
      deployment,
      pool,
      isolationLevel: level,
      connectionPools,
      resourceLimits,
      ...(rule !== undefined && { rule }),
    };
  }
}

function tenantOf({ tenant }: Owner): Pick<Route, 'tenant'> {
  return tenant === undefined ? {} : { tenant };
}

/** Whether every namespace of the pattern surely is one of the shared pattern, too. */
function hasWhole({ pattern: shared }: SharedPattern, pattern: NamespacePattern): boolean {
  const isPrefix = patternShape(shared) === 'prefix' && literalPrefix(pattern).startsWith(literalPrefix(shared));
  return isPrefix || shared === pattern || patternShape(pattern) === 'exact';
}
