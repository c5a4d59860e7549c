import type { Proxy } from '@palisade/domain';
import { formatMemory } from './format-memory.js';
import type { PoolProxyResponse } from '../proxies/proxies.dto.js';
import type { PoolResponse } from './pools.dto.js';
import type { PoolView } from './pools.service.js';

export function toPoolResponse({ definition, proxies, tenants, namespaces }: PoolView): PoolResponse {
  const { name, replicas, resources, isolationLevel } = definition;
  return {
    name,
    replicas,
    resources: { cpu: resources.cpu, memory: formatMemory(resources.memoryBytes) },
    isolation_level: isolationLevel,
    proxies: proxies.map(toPoolProxy),
    healthy: proxies.filter(({ health, isDraining }) => health === 'healthy' && !isDraining).length,
    tenants,
    namespaces,
  };
}

export function toPoolProxy({
  id,
  host,
  port,
  weight,
  source,
  health,
  healthDetail,
  isDraining,
}: Proxy): PoolProxyResponse {
  return { id, host, port, weight, source, health, health_detail: healthDetail, draining: isDraining };
}
