import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonObject } from '@palisade/domain';

export class LeaderResponse {
  @ApiProperty({ description: 'The replica.', example: 'control-plane-0:1:01992f4e' })
  readonly holder!: string;

  @ApiProperty({ description: 'Increases with each change of leadership.', type: 'integer', example: 3 })
  readonly epoch!: number;

  @ApiProperty({
    description: 'Until then, unless it is extended.',
    format: 'date-time',
    example: '2026-11-20T08:30:05.000Z',
  })
  readonly expires_at!: string;
}

export class ComponentStatusResponse {
  @ApiProperty({
    description: '`load_balancer`, `dns`, `kubernetes`, `provisioning` or `audit`.',
    example: 'dns',
  })
  readonly component!: string;

  @ApiProperty({ description: 'The replica that reported it.', example: 'control-plane-0:1:01992f4e' })
  readonly reported_by!: string;

  @ApiProperty({ description: 'When it changed to this.', format: 'date-time', example: '2026-11-20T08:30:00.000Z' })
  readonly at!: string;

  @ApiProperty({
    description: 'Depends on the component.',
    type: 'object',
    additionalProperties: true,
    example: { names: [{ name: 'standard.pools.example.com', state: 'applied', addresses: ['10.0.0.7'] }] },
  })
  readonly detail!: JsonObject;
}

export class StatusResponse {
  @ApiProperty({
    description: 'Of the registry: increases with each change of a tenant.',
    type: 'integer',
    example: 42,
  })
  readonly revision!: number;

  @ApiProperty({ description: 'Whether the replica that answers leads.', example: true })
  readonly is_leader!: boolean;

  @ApiPropertyOptional({ description: 'The replica that leads; absent while none does.', type: LeaderResponse })
  readonly leader?: LeaderResponse;

  @ApiProperty({ description: 'What the leader has reported, in order of component.', type: [ComponentStatusResponse] })
  readonly components!: readonly ComponentStatusResponse[];
}
