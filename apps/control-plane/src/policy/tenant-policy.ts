import {
  isObject,
  type BackendPoolSettings,
  type JsonObject,
  type NamespacePattern,
  type TenantPolicy,
} from '@palisade/domain';
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
  { isolationLevel, connectionPools }: Pick<Placement, 'isolationLevel' | 'connectionPools'>,
  pool: PoolDefinition,
): TenantPolicy {
  const backends = pool.isolationSettings?.['connection_pools'];
  const own = Object.entries(connectionPools).flatMap(([backend, limits]) => {
    const ofPool = isObject(backends) ? backends[backend] : undefined;
    const differing = isObject(ofPool) ? differingLimits(limits, ofPool) : {};
    return Object.keys(differing).length === 0 ? [] : [[backend, differing] as const];
  });
  return {
    tenant_id,
    namespaces,
    ...(isolationLevel !== undefined && isolationLevel !== pool.isolationLevel && { isolation_level: isolationLevel }),
    ...(own.length > 0 && { connection_pools: Object.fromEntries(own) }),
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
