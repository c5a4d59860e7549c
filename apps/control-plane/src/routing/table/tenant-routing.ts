import type {
  ConnectionPools,
  Deployment,
  IsolationLevel,
  NamespaceResources,
  PoolName,
  TenancyModel,
} from '@palisade/domain';
import type { PoolChoice } from './route.js';
import type { RoutingTable } from './routing-table.js';
import type { PlacedTenant } from './tenant-directory.js';

/** Where the namespaces of a tenant go, and on which terms. */
export interface TenantRouting {
  /** How the whole installation is deployed. */
  readonly model: TenancyModel;
  readonly deployment: Deployment;
  /** In order of name; several when `namespace_routing` divides the namespaces, none when they go nowhere. */
  readonly pools: readonly PoolName[];
  /** Absent when the pools have different ones. */
  readonly isolationLevel?: IsolationLevel;
  readonly connectionPools: ConnectionPools;
  readonly resourceLimits: NamespaceResources;
  readonly chosenBy: PoolChoice;
  /** Position in `tenant_routing.rules` of the rule that holds for the tenant, whether or not it chose the pool. */
  readonly rule?: number;
}

export function routingOf(
  { finder, configuration }: RoutingTable,
  { tenant, placement, pools }: PlacedTenant,
): TenantRouting {
  const { deployment, rule, isolationLevel, connectionPools, resourceLimits } = placement;
  const [level, ...others] = new Set([...pools].map((pool) => isolationLevel ?? finder.isolationLevelOf(pool)));
  return {
    model: configuration.deployment.model,
    deployment,
    pools: [...pools].sort(),
    ...(level !== undefined && others.length === 0 && { isolationLevel: level }),
    connectionPools,
    resourceLimits,
    chosenBy: placement.chosenBy ?? (isShared() ? 'namespace_routing' : 'default_pool'),
    ...(rule !== undefined && { rule }),
  };

  function isShared(): boolean {
    return tenant.namespacePatterns.some((pattern) => finder.routes.overlapping(pattern).length > 0);
  }
}
