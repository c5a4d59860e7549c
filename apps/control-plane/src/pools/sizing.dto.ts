import { formatBytes } from '@palisade/domain';
import { Decimal, Flag, Integer, Nested, Text } from '@palisade/platform';
import { MAX_SIZED_TENANTS, type Size } from './size.js';

export class SizingParameters {
  @Integer('How many tenants there will be.', { minimum: 1, maximum: MAX_SIZED_TENANTS, example: 300, inQuery: true })
  readonly tenants!: number;
}

class ProxyResources {
  @Decimal('Cores.', { example: 4 })
  readonly cpu!: number;

  @Text('As Kubernetes writes it.', { example: '8Gi' })
  readonly memory!: string;
}

export class SizingResponse {
  @Integer('Tenants, as asked.', { example: 300 })
  readonly tenants!: number;

  @Integer('Proxies.', { example: 15 })
  readonly replicas!: number;

  @Integer('Connections to backends, of all proxies together.', { example: 1500 })
  readonly connections!: number;

  @Nested('What each proxy needs.', ProxyResources)
  readonly resources!: ProxyResources;

  @Flag('Whether this goes beyond what is known from experience.', { example: false })
  readonly extrapolated!: boolean;
}

export function toSizingResponse(size: Size): SizingResponse {
  const { tenants, replicas, connections, cpuCores, memoryBytes, isExtrapolated } = size;
  const resources = { cpu: cpuCores, memory: formatBytes(memoryBytes) };
  return { tenants, replicas, connections, resources, extrapolated: isExtrapolated };
}
