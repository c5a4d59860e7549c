import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { MAX_SIZED_TENANTS } from './size.js';

export class SizingParameters {
  @ApiProperty({
    description: 'How many tenants there will be.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_SIZED_TENANTS,
    example: 300,
  })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_SIZED_TENANTS)
  readonly tenants!: number;
}

class ProxyResources {
  @ApiProperty({ description: 'Cores.', example: 4 })
  readonly cpu!: number;

  @ApiProperty({ description: 'As Kubernetes writes it.', example: '8Gi' })
  readonly memory!: string;
}

export class SizingResponse {
  @ApiProperty({ description: 'As asked.', type: 'integer', example: 300 })
  readonly tenants!: number;

  @ApiProperty({ description: 'Proxies.', type: 'integer', example: 15 })
  readonly replicas!: number;

  @ApiProperty({ description: 'Connections to backends, of all proxies together.', type: 'integer', example: 1500 })
  readonly connections!: number;

  @ApiProperty({ description: 'Of each proxy.', type: ProxyResources })
  readonly resources!: ProxyResources;

  @ApiProperty({ description: 'Whether this goes beyond what is known from experience.', example: false })
  readonly extrapolated!: boolean;
}
