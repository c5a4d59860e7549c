import { formatBytes } from '@palisade/domain';
import { Choice, Decimal, Flag, Integer, Nested, Text } from '@palisade/platform';
import { MAX_SIZED_TENANTS, type Measured, type Size } from './size.js';

const ORIGINS = ['table', 'usage'] as const;

export class SizingParameters {
  @Integer('How many tenants there will be.', { minimum: 1, maximum: MAX_SIZED_TENANTS, example: 300, inQuery: true })
  readonly tenants!: number;

  @Choice(
    '`table`: what is known from experience. `usage`: what tenants use now; only for admins of all namespaces.',
    ORIGINS,
    {
      example: 'table',
      default: 'table',
    },
  )
  readonly from: (typeof ORIGINS)[number] = 'table';
}

class MeasuredResponse {
  @Integer('Tenants of which proxies report something.', { example: 120 })
  readonly tenants!: number;

  @Integer('Connections that they use, and requests that wait for one.', { example: 480 })
  readonly connections!: number;
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

  @Nested('What it was calculated from; only with `from=usage`.', MeasuredResponse, { optional: true })
  readonly measured?: MeasuredResponse;

  @Flag('Whether this goes beyond what is known from experience, or was measured.', { example: false })
  readonly extrapolated!: boolean;
}

export function toSizingResponse(size: Size, measured?: Measured): SizingResponse {
  const { tenants, replicas, connections, cpuCores, memoryBytes, isExtrapolated } = size;
  const resources = { cpu: cpuCores, memory: formatBytes(memoryBytes) };
  return { tenants, replicas, connections, resources, measured, extrapolated: isExtrapolated };
}
