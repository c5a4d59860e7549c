import {
  isObject,
  type BackendPoolSettings,
  type JsonObject,
  type NamespacePattern,
  type NamespaceResources,
  type TenantPolicy,
} from '@palisade/domain';
import { writeResources } from '../config/resource-limits.js';
import type { PoolDefinition } from '../config/control-plane-settings.js';
import type { Placement } from '../routing/table/placement.js';

/** What every tenant of the pool has unless it says otherwise: keys of the isolation library's settings. */
export function policySettings({ isolationLevel, isolationSettings }: PoolDefinition): JsonObject {
  return { ...isolationSettings, isolation_level: isolationLevel };
}

/** The terms of a tenant, as {@link RouteFinder} puts them into routes, where they differ from those of the pool. */
export function tenantPolicy(
  tenant_id: string,
  namespaces: readonly NamespacePattern[],
  {
    isolationLevel,
    connectionPools,
    resourceLimits,
  }: Pick<Placement, 'isolationLevel' | 'connectionPools' | 'resourceLimits'>,
  pool: PoolDefinition,
): TenantPolicy {
  const backends = pool.isolationSettings?.['connection_pools'];
  const own = Object.entries(connectionPools).flatMap(([backend, limits]) => {
    const ofPool = isObject(backends) ? backends[backend] : undefined;
    const differing = isObject(ofPool) ? differingLimits(limits, ofPool) : {};
    return Object.keys(differing).length === 0 ? [] : [[backend, differing] as const];
  });
  const ownLimits = differingResources(resourceLimits, pool);
  return {
    tenant_id,
    namespaces,
    ...(isolationLevel !== undefined && isolationLevel !== pool.isolationLevel && { isolation_level: isolationLevel }),
    ...(own.length > 0 && { connection_pools: Object.fromEntries(own) }),
    ...(Object.keys(ownLimits).length > 0 && { resource_limits: ownLimits }),
  };
}

/** Caps are the pool's alone. */
function differingLimits(
  { connectionsPerNamespace, perSessionLimit }: BackendPoolSettings,
  ofPool: Readonly<Record<string, unknown>>,
): JsonObject {
  return Object.fromEntries(
    [
      ['connections_per_namespace', connectionsPerNamespace] as const,
      ['per_session_limit', perSessionLimit] as const,
    ].flatMap(([key, value]) => (value === undefined || value === ofPool[key] ? [] : [[key, value] as const])),
  );
}

function differingResources(limits: NamespaceResources, { isolationSettings }: PoolDefinition): JsonObject {
  const ofPool = isolationSettings?.['resource_limits'];
  const perNamespace = isObject(ofPool) ? ofPool['per_namespace'] : undefined;
  const present = isObject(perNamespace) ? perNamespace : {};
  return Object.fromEntries(Object.entries(writeResources(limits)).filter(([key, value]) => value !== present[key]));
}
