import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsText, LABEL, MayBeAbsent } from '@palisade/platform';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { PoolProxyResponse } from '../pools/pools.dto.js';
import { IsHost } from './is-host.decorator.js';

const MAX_ID_LENGTH = 253;
const MAX_WEIGHT = 256;
const DEFAULT_WEIGHT = 100;

const PROXY_FIELDS = {
  id: { description: 'Id of the proxy: labels as in DNS with dots between.', example: 'standard-1' },
  pool: { description: 'Name of the pool.', example: 'standard' },
  host: { description: 'Name or address at which the load balancer reaches it.', example: '10.0.0.7' },
  port: { description: 'Port for requests and health checks.', type: 'integer', example: 8080 },
  weight: { description: 'Relative to the others of the pool.', type: 'integer', example: DEFAULT_WEIGHT },
  draining: { description: 'Whether it finishes what it has and takes nothing new.', example: false },
} as const;

export class RegisterProxyBody {
  @ApiProperty(PROXY_FIELDS.id)
  @IsText(MAX_ID_LENGTH)
  readonly id!: string;

  @ApiProperty({ ...PROXY_FIELDS.pool, ...LABEL })
  @IsText(LABEL.maxLength)
  readonly pool!: string;

  @ApiProperty(PROXY_FIELDS.host)
  @IsHost()
  readonly host!: string;

  @ApiProperty({ ...PROXY_FIELDS.port, minimum: 1, maximum: 65_535 })
  @IsInt()
  @Min(1)
  @Max(65_535)
  readonly port!: number;

  @ApiPropertyOptional({ ...PROXY_FIELDS.weight, minimum: 1, maximum: MAX_WEIGHT, default: DEFAULT_WEIGHT })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(MAX_WEIGHT)
  readonly weight: number = DEFAULT_WEIGHT;

  @ApiPropertyOptional({ ...PROXY_FIELDS.draining, default: false })
  @MayBeAbsent()
  @IsBoolean()
  readonly draining: boolean = false;
}

export class AdjustProxyBody {
  @ApiPropertyOptional({ ...PROXY_FIELDS.weight, minimum: 1, maximum: MAX_WEIGHT })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(MAX_WEIGHT)
  readonly weight?: number;

  @ApiPropertyOptional({ ...PROXY_FIELDS.draining, example: true })
  @MayBeAbsent()
  @IsBoolean()
  readonly draining?: boolean;
}

export class ProxyResponse extends PoolProxyResponse {
  @ApiProperty(PROXY_FIELDS.pool)
  readonly pool!: string;

  @ApiProperty({ description: 'When it became known.', format: 'date-time', example: '2026-11-20T08:30:00.000Z' })
  readonly registered_at!: string;

  @ApiPropertyOptional({
    description: 'Its last sign of life, when it registered itself.',
    format: 'date-time',
    example: '2026-11-20T08:31:00.000Z',
  })
  readonly last_heartbeat_at?: string;

  @ApiPropertyOptional({
    description: 'Since when its health is what it is.',
    format: 'date-time',
    example: '2026-11-20T08:30:05.000Z',
  })
  readonly health_changed_at?: string;
}

export class RegisteredProxyResponse extends ProxyResponse {
  @ApiProperty({ description: 'Time between two heartbeats, in seconds.', example: 5 })
  readonly heartbeat_interval_seconds!: number;

  @ApiProperty({
    description:
      'Proxies of the pool, this one included, that are not known to be unhealthy; each divides the caps of its backends by it.',
    type: 'integer',
    example: 2,
  })
  readonly live_pool_size!: number;
}

export class ProxyList {
  @ApiProperty({ description: 'All proxies, in order of pool and id.', type: [ProxyResponse] })
  readonly items!: readonly ProxyResponse[];
}
