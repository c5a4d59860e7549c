import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ISOLATION_LEVELS, type IsolationLevel, type ProxyHealth, type ProxySource } from '@palisade/domain';

const HEALTH = ['unknown', 'healthy', 'unhealthy'] as const satisfies readonly ProxyHealth[];
const SOURCES = ['registration', 'static', 'dns_srv', 'kubernetes'] as const satisfies readonly ProxySource[];

export class PoolProxyResponse {
  @ApiProperty({ description: 'Id of the proxy.', example: 'standard-1' })
  readonly id!: string;

  @ApiProperty({ description: 'Name or address.', example: '10.0.0.7' })
  readonly host!: string;

  @ApiProperty({ description: 'Port.', type: 'integer', example: 8080 })
  readonly port!: number;

  @ApiProperty({ description: '1 to 256, relative to the others of the pool.', type: 'integer', example: 100 })
  readonly weight!: number;

  @ApiProperty({ description: 'How the control plane learned of it.', enum: SOURCES, example: 'registration' })
  readonly source!: ProxySource;

  @ApiProperty({ description: '`unknown` until it was checked for the first time.', enum: HEALTH, example: 'healthy' })
  readonly health!: ProxyHealth;

  @ApiPropertyOptional({ description: 'Why it is as it is, for people.', example: 'answered 200' })
  readonly health_detail?: string;

  @ApiProperty({ description: 'Whether it finishes what it has and takes nothing new.', example: false })
  readonly draining!: boolean;
}

export class PoolResourcesResponse {
  @ApiProperty({ description: 'Cores.', example: 2 })
  readonly cpu!: number;

  @ApiProperty({ description: 'As Kubernetes writes it.', example: '4Gi' })
  readonly memory!: string;
}

export class PoolResponse {
  @ApiProperty({ description: 'Name of the pool.', example: 'standard' })
  readonly name!: string;

  @ApiProperty({ description: 'How many proxies there are to be.', type: 'integer', example: 2 })
  readonly replicas!: number;

  @ApiProperty({ description: 'Of each proxy.', type: PoolResourcesResponse })
  readonly resources!: PoolResourcesResponse;

  @ApiProperty({ description: 'What shares connections in its proxies.', enum: ISOLATION_LEVELS, example: 'namespace' })
  readonly isolation_level!: IsolationLevel;

  @ApiProperty({ description: 'Proxies that there are, in order of id.', type: [PoolProxyResponse] })
  readonly proxies!: readonly PoolProxyResponse[];

  @ApiProperty({ description: 'How many of them are healthy and take requests.', type: 'integer', example: 2 })
  readonly healthy!: number;

  @ApiProperty({ description: 'Tenants with namespaces there.', type: 'integer', example: 12 })
  readonly tenants!: number;

  @ApiProperty({
    description: 'Names and patterns that lead there, of those tenants and of namespace_routing.',
    type: 'integer',
    example: 30,
  })
  readonly namespaces!: number;
}

export class PoolList {
  @ApiProperty({ description: 'All pools, in order of name.', type: [PoolResponse] })
  readonly items!: readonly PoolResponse[];
}
