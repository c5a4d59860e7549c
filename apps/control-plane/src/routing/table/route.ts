import type {
  ConnectionPools,
  Deployment,
  IsolationLevel,
  NamespacePattern,
  NamespaceResources,
  PoolName,
  TenantId,
} from '@palisade/domain';

/**
 * What a pool was chosen by: the installation serves a single tenant; the tenant names it; the first rule whose conditions
 * hold; an entry of `namespace_routing`; or nothing but the default.
 */
export type PoolChoice = 'deployment' | 'tenant' | 'rule' | 'namespace_routing' | 'default_pool';

/** Where requests of a namespace go, and on which terms. */
export interface Route {
  readonly tenant?: TenantId;
  /** Whether the tenant has its proxies for itself. */
  readonly deployment: Deployment;
  readonly pool: PoolName;
  readonly isolationLevel: IsolationLevel;
  readonly connectionPools: ConnectionPools;
  readonly resourceLimits: NamespaceResources;
  readonly chosenBy: PoolChoice;
  /** The pattern of the tenant or of the entry that has the namespace. */
  readonly pattern?: NamespacePattern;
  /** Position in `tenant_routing.rules` of the rule that holds for the tenant, whether or not it chose the pool. */
  readonly rule?: number;
  /** Position in `namespace_routing`, when that chose the pool. */
  readonly entry?: number;
}

/** As operators find it in the configuration file. */
export function pathOfRule(rule: number): string {
  return `tenant_routing.rules[${rule}]`;
}

/** As operators find it in the configuration file. */
export function pathOfEntry(entry: number): string {
  return `namespace_routing[${entry}]`;
}

/** The part of a route that may be shown to a caller who must not see its tenant. */
export function withoutTenant(route: Route): Route {
  const isOwnPattern = route.chosenBy !== 'namespace_routing';
  return { ...route, tenant: undefined, ...(isOwnPattern && { pattern: undefined }) };
}
