import {
  parsePoolName,
  type ConnectionPools,
  type Deployment,
  type IsolationLevel,
  type NamespaceResources,
  type PoolName,
  type TenantDraft,
  type TenantId,
} from '@palisade/domain';
import type { ControlPlaneSettings, RoutingRule } from '../../config/control-plane-settings.js';
import { DEDICATED_POOL, OWN_POOL_EXPECTED, hasOwnPools } from '../../config/resolve-pools.js';
import { mergeConnectionPools } from './connection-settings.js';
import { findRule } from './rules.js';

/** What is settled about a tenant before any of its namespaces is looked at. */
export interface Placement {
  /** Position of the first rule that holds for the tenant. */
  readonly rule?: number;
  readonly deployment: Deployment;
  /** Absent: `namespace_routing` and the default decide for each namespace. */
  readonly pool?: PoolName;
  readonly chosenBy?: 'tenant' | 'rule';
  /** Absent: that of the pool. */
  readonly isolationLevel?: IsolationLevel;
  readonly connectionPools: ConnectionPools;
  readonly resourceLimits: NamespaceResources;
}

/** A tenant that is registered, or might be. */
export type TenantLike = Omit<TenantDraft, 'namespacePatterns'> & { readonly id?: TenantId };

/** Decides what tenants get: what they say themselves; what they omit, from the first rule that holds for them. */
export class Placements {
  /** By position of the rule: the settings of the file under those of the rule. */
  private readonly settingsByRule: readonly ConnectionPools[];
  private readonly defaults: ConnectionPools;
  /** Tenants without settings of their own share one object for each rule, pool and level. */
  private readonly shared = new Map<string, Placement>();

  constructor(private readonly settings: Pick<ControlPlaneSettings, 'routing' | 'pools' | 'isolation'>) {
    this.defaults = mergeConnectionPools(settings.isolation.connectionPools);
    this.settingsByRule = settings.routing.rules.map(({ action }) =>
      mergeConnectionPools(this.defaults, action.connectionPools),
    );
  }

  of(tenant: TenantLike): Placement {
    const { rules } = this.settings.routing;
    const at = findRule(rules, tenant);
    const rule = at === undefined ? undefined : rules[at];
    const ofRule = rule && this.poolOfRule(rule, tenant.id);
    const pool = tenant.pool ?? ofRule;
    const isolationLevel = tenant.isolationLevel ?? rule?.action.isolationLevel;
    const key = this.isShareable(tenant) ? JSON.stringify([at, ofRule, tenant.pool, isolationLevel]) : undefined;
    const known = key && this.shared.get(key);
    if (known) {
      return known;
    }
    const placement: Placement = {
      ...(at !== undefined && { rule: at }),
      // Proxies for itself are promised by the rule, so only in the pool that the rule chooses.
      deployment: rule !== undefined && pool === ofRule ? rule.action.deployment : 'multi_tenant',
      ...(pool !== undefined && { pool, chosenBy: tenant.pool === undefined ? 'rule' : 'tenant' }),
      ...(isolationLevel !== undefined && { isolationLevel }),
      connectionPools: this.connectionPoolsOf(at, tenant.connectionPools),
      resourceLimits: this.resourceLimitsOf(rule, tenant.resourceLimits),
    };
    if (key !== undefined) {
      this.shared.set(key, placement);
    }
    return placement;
  }

  /** The pool that a rule chooses; undefined when it leaves that open. */
  poolOfRule({ action }: RoutingRule, tenant: TenantId | undefined): PoolName | undefined {
    if (action.pool !== undefined || action.deployment === 'multi_tenant') {
      return action.pool;
    }
    const { pools } = this.settings;
    const own = tenant && parsePoolName(tenant);
    return [own, DEDICATED_POOL].find((pool) => pool !== undefined && pools.has(pool));
  }

  /** Only with a pool of the configuration, so that nobody can have any number of placements remembered. */
  private isShareable({ pool, connectionPools, resourceLimits }: TenantLike): boolean {
    const isKnownPool = pool === undefined || this.settings.pools.has(pool);
    return isKnownPool && connectionPools === undefined && resourceLimits === undefined;
  }

  private connectionPoolsOf(rule: number | undefined, own: ConnectionPools | undefined): ConnectionPools {
    const base = (rule === undefined ? undefined : this.settingsByRule[rule]) ?? this.defaults;
    return own === undefined ? base : mergeConnectionPools(base, own);
  }

  private resourceLimitsOf(rule: RoutingRule | undefined, own: NamespaceResources | undefined): NamespaceResources {
    const { resourceLimits } = this.settings.isolation;
    const ofRule = rule?.action.resourceLimits;
    return ofRule === undefined && own === undefined ? resourceLimits : { ...resourceLimits, ...ofRule, ...own };
  }
}

/** The pool of an installation for a single tenant. */
export function singleTenantPool({
  routing,
  pools,
  deployment,
}: Pick<ControlPlaneSettings, 'routing' | 'pools' | 'deployment'>): PoolName {
  const own = deployment.tenantId && parsePoolName(deployment.tenantId);
  const named = [routing.defaultPool, own, DEDICATED_POOL].find((pool) => pool !== undefined && pools.has(pool));
  return named ?? pools.keys().next().value ?? DEDICATED_POOL;
}

/**
 * What is wrong with rules that promise a tenant proxies for itself and name no pool: there must be one that such a tenant
 * gets, so that it never ends up among others. Empty when all is well.
 */
export function findUnplaceableRules({ routing, pools }: Pick<ControlPlaneSettings, 'routing' | 'pools'>): string[] {
  const names = new Set<string>(pools.keys());
  return routing.rules.flatMap(({ match, action }, at) => {
    const isOpen = action.deployment === 'single_tenant' && action.pool === undefined;
    const isPlaceable = !isOpen || hasOwnPools(match.contracts, names);
    return isPlaceable ? [] : [`tenant_routing.rules[${at}].action.pool: ${OWN_POOL_EXPECTED}`];
  });
}
