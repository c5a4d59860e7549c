import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  DEPLOYMENTS,
  ISOLATION_LEVELS,
  TENANCY_MODELS,
  TIERS,
  type Deployment,
  type IsolationLevel,
  type TenancyModel,
  type Tier,
} from '@palisade/domain';
import { ApiNextCursor, IsText, LABEL, MayBeAbsent, PageParameters } from '@palisade/platform';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsNumber,
  IsObject,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { ConnectionPoolsBody } from '../routing/connection-pools.dto.js';
import { MATCHED_BY } from '../routing/matched.dto.js';

const MAX_PATTERNS = 1000;
const MAX_REVENUE = 1e15;
const PATTERN_LENGTH = { minLength: 1, maxLength: 63 } as const;

/** Fields of a tenant as the API pages describe them, in bodies and in answers alike. */
const FIELDS = {
  tenant_id: { description: 'Id of the tenant.', example: 'acme' },
  namespace_patterns: {
    description: 'Namespaces of the tenant: names, and globs with `*` for any characters and `?` for one.',
    example: ['acme', 'acme-*'],
  },
  pool: { description: 'Pool that the tenant is to be in, whatever the rules say.', example: 'premium' },
  isolation_level: {
    description: 'Isolation level of the tenant, whatever the rules and its pool say.',
    enum: ISOLATION_LEVELS,
    example: 'namespace',
  },
  tier: { description: 'What rules ask about.', enum: TIERS, example: 'premium' },
  annual_revenue: { description: 'What rules ask about.', minimum: 0, maximum: MAX_REVENUE, example: 25_000 },
} as const;

/** What is said of a tenant. What is absent is decided by rules, pools and defaults. */
export class TenantBody {
  @ApiPropertyOptional({
    description: 'The only entry of `namespace_patterns`; exactly one of the two is required.',
    example: 'acme-*',
  })
  @MayBeAbsent()
  @IsText(PATTERN_LENGTH.maxLength)
  readonly namespace_pattern?: string;

  @ApiPropertyOptional({
    ...FIELDS.namespace_patterns,
    type: [String],
    minItems: 1,
    maxItems: MAX_PATTERNS,
    items: { type: 'string', ...PATTERN_LENGTH },
  })
  @MayBeAbsent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_PATTERNS)
  readonly namespace_patterns?: readonly unknown[];

  @ApiPropertyOptional({ ...FIELDS.pool, ...LABEL })
  @MayBeAbsent()
  @IsText(LABEL.maxLength)
  readonly pool?: string;

  @ApiPropertyOptional(FIELDS.isolation_level)
  @MayBeAbsent()
  @IsIn(ISOLATION_LEVELS)
  readonly isolation_level?: IsolationLevel;

  @ApiPropertyOptional(FIELDS.tier)
  @MayBeAbsent()
  @IsIn(TIERS)
  readonly tier?: Tier;

  @ApiPropertyOptional(FIELDS.annual_revenue)
  @MayBeAbsent()
  @IsNumber()
  @Min(0)
  @Max(MAX_REVENUE)
  readonly annual_revenue?: number;

  @ApiPropertyOptional({
    description: 'Connections of the tenant, over those of rules and defaults.',
    type: ConnectionPoolsBody,
  })
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => ConnectionPoolsBody)
  readonly connection_pools?: ConnectionPoolsBody;
}

export class RegisterTenantBody extends TenantBody {
  @ApiProperty({ ...FIELDS.tenant_id, ...LABEL })
  @IsText(LABEL.maxLength)
  readonly tenant_id!: string;
}

export class ReplaceTenantBody extends TenantBody {
  @ApiPropertyOptional({ ...FIELDS.tenant_id, ...LABEL, description: 'As in the path, if it is there.' })
  @MayBeAbsent()
  @IsText(LABEL.maxLength)
  readonly tenant_id?: string;
}

export class ListTenantsParameters extends PageParameters {
  @ApiPropertyOptional({ ...LABEL, description: 'Only tenants with namespaces in this pool.', example: 'premium' })
  @MayBeAbsent()
  @IsText(LABEL.maxLength)
  readonly pool?: string;
}

export class MatchedResponse {
  @ApiProperty({ description: MATCHED_BY.description, enum: MATCHED_BY.enum, example: 'rule' })
  readonly by!: string;

  @ApiPropertyOptional({
    description: 'The rule that holds for the tenant, whether or not it chose the pool.',
    example: 'tenant_routing.rules[1]',
  })
  readonly rule?: string;
}

export class HealthyProxyResponse {
  @ApiProperty({ description: 'Id of the proxy.', example: 'premium-1' })
  readonly id!: string;

  @ApiProperty({ description: 'Its pool.', example: 'premium' })
  readonly pool!: string;

  @ApiProperty({ description: 'Name or address.', example: '10.0.0.7' })
  readonly host!: string;

  @ApiProperty({ description: 'Port.', type: 'integer', example: 8080 })
  readonly port!: number;
}

export class TenantRoutingResponse {
  @ApiProperty({ description: 'How the whole installation is deployed.', enum: TENANCY_MODELS, example: 'hybrid' })
  readonly tenancy_model!: TenancyModel;

  @ApiProperty({
    description: 'Whether the tenant has its proxies for itself.',
    enum: DEPLOYMENTS,
    example: 'multi_tenant',
  })
  readonly deployment!: Deployment;

  @ApiPropertyOptional({
    description: 'Where all namespaces go; absent when they go to several pools, or nowhere.',
    example: 'premium',
  })
  readonly pool?: string;

  @ApiProperty({ description: 'Where namespaces go.', type: [String], example: ['premium'] })
  readonly pools!: readonly string[];

  @ApiPropertyOptional({
    description: 'Absent when the pools have different ones.',
    enum: ISOLATION_LEVELS,
    example: 'namespace',
  })
  readonly isolation_level?: IsolationLevel;

  @ApiProperty({ description: 'Connections, by backend.', type: ConnectionPoolsBody })
  readonly connection_pools!: ConnectionPoolsBody;

  @ApiProperty({ description: 'What chose the pool.', type: MatchedResponse })
  readonly matched!: MatchedResponse;

  @ApiPropertyOptional({
    description: 'Proxies that take requests; not in lists, nor while the store is away.',
    type: [HealthyProxyResponse],
  })
  readonly healthy_proxies?: readonly HealthyProxyResponse[];
}

export class DrainingResponse {
  @ApiProperty({ description: 'The pool that the tenant has left.', example: 'standard' })
  readonly pool!: string;

  @ApiProperty({
    description: 'Until when its proxies may be busy for the tenant.',
    format: 'date-time',
    example: '2026-11-20T08:30:30.000Z',
  })
  readonly until!: string;
}

export class TenantResponse {
  @ApiProperty(FIELDS.tenant_id)
  readonly tenant_id!: string;

  @ApiProperty({ ...FIELDS.namespace_patterns, type: [String] })
  readonly namespace_patterns!: readonly string[];

  @ApiPropertyOptional({ ...FIELDS.pool, description: 'As registered; `routing.pool` is what counts.' })
  readonly pool?: string;

  @ApiPropertyOptional({
    ...FIELDS.isolation_level,
    description: 'As registered; `routing.isolation_level` is what counts.',
  })
  readonly isolation_level?: IsolationLevel;

  @ApiPropertyOptional(FIELDS.tier)
  readonly tier?: Tier;

  @ApiPropertyOptional(FIELDS.annual_revenue)
  readonly annual_revenue?: number;

  @ApiPropertyOptional({
    description: 'As registered; `routing.connection_pools` is what counts.',
    type: ConnectionPoolsBody,
  })
  readonly connection_pools?: ConnectionPoolsBody;

  @ApiProperty({ description: 'Where its requests go.', type: TenantRoutingResponse })
  readonly routing!: TenantRoutingResponse;

  @ApiPropertyOptional({
    description: 'A pool that the tenant has left and that may still be busy for it.',
    type: DrainingResponse,
  })
  readonly draining?: DrainingResponse;

  @ApiProperty({
    description: 'Who manages the tenant: only there it can be changed.',
    enum: ['api', 'kubernetes', 'configuration'],
    example: 'api',
  })
  readonly source!: string;

  @ApiPropertyOptional({
    description: 'Increases with each change; the first part of the ETag.',
    type: 'integer',
    example: 1,
  })
  readonly version?: number;

  @ApiPropertyOptional({
    description: 'When it was registered.',
    format: 'date-time',
    example: '2026-11-20T08:30:00.000Z',
  })
  readonly created_at?: string;

  @ApiPropertyOptional({
    description: 'When it last changed.',
    format: 'date-time',
    example: '2026-11-20T08:30:00.000Z',
  })
  readonly modified_at?: string;
}

export class TenantPage {
  @ApiProperty({ description: 'In order of id.', type: [TenantResponse] })
  readonly items!: readonly TenantResponse[];

  @ApiNextCursor()
  readonly next_cursor?: string;
}
