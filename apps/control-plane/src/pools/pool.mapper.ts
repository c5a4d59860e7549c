import { formatBytes, ISOLATION_LEVELS } from '@palisade/domain';
import { toAmounts, toCapUsage } from '../usage/usage.mapper.js';
import { toPoolProxy } from '../proxies/proxy.mapper.js';
import type { PoolResponse } from './pools.dto.js';
import type { PoolView } from './pools.service.js';

export function toPoolResponse({
  definition,
  revision,
  proxies,
  tenants,
  namespaces,
  use,
  caps,
}: PoolView): PoolResponse {
  const { name, replicas, resources, isolationLevel, isolationLevels } = definition;
  return {
    name,
    replicas,
    resources: { cpu: resources.cpu, memory: formatBytes(resources.memoryBytes) },
    isolation_level: isolationLevel,
    isolation_levels: isolationLevels ?? ISOLATION_LEVELS,
    proxies: proxies.map((proxy) => toPoolProxy(proxy, revision)),
    healthy: proxies.filter(({ health, isDraining }) => health === 'healthy' && !isDraining).length,
    tenants,
    namespaces,
    usage: use && toAmounts(use),
    caps: caps.map(toCapUsage),
  };
}
