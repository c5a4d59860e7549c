import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  DEPLOYMENTS,
  ISOLATION_LEVELS,
  TIERS,
  type Deployment,
  type IsolationLevel,
  type Tier,
} from '@palisade/domain';
import { IsText, LABEL, MayBeAbsent } from '@palisade/platform';
import { IsIn, IsNumber, Max, Min } from 'class-validator';
import { ConnectionPoolsBody } from './connection-pools.dto.js';
import { STAGES, type Stage } from './explain/explanation.js';
import { MATCHED_BY } from './matched.dto.js';

const MAX_REVENUE = 1e15;

export class ResolveParameters {
  @ApiProperty({ ...LABEL, description: 'Name of the namespace.', example: 'acme-orders' })
  @IsText(LABEL.maxLength)
  readonly namespace!: string;
}

/** A namespace, or a tenant that is or might be, or both. */
export class ExplainBody {
  @ApiPropertyOptional({ ...LABEL, description: 'Name of a namespace.', example: 'acme-orders' })
  @MayBeAbsent()
  @IsText(LABEL.maxLength)
  readonly namespace?: string;

  @ApiPropertyOptional({
    ...LABEL,
    description: 'Id of a tenant. If it is registered, what the body omits is taken from there.',
    example: 'acme',
  })
  @MayBeAbsent()
  @IsText(LABEL.maxLength)
  readonly tenant_id?: string;

  @ApiPropertyOptional({ description: 'Tier of the tenant.', enum: TIERS, example: 'premium' })
  @MayBeAbsent()
  @IsIn(TIERS)
  readonly tier?: Tier;

  @ApiPropertyOptional({
    description: 'Annual revenue of the tenant.',
    minimum: 0,
    maximum: MAX_REVENUE,
    example: 25_000,
  })
  @MayBeAbsent()
  @IsNumber()
  @Min(0)
  @Max(MAX_REVENUE)
  readonly annual_revenue?: number;

  @ApiPropertyOptional({ ...LABEL, description: 'Pool that the tenant names itself.', example: 'premium' })
  @MayBeAbsent()
  @IsText(LABEL.maxLength)
  readonly pool?: string;

  @ApiPropertyOptional({
    description: 'Isolation level that the tenant names itself.',
    enum: ISOLATION_LEVELS,
    example: 'session',
  })
  @MayBeAbsent()
  @IsIn(ISOLATION_LEVELS)
  readonly isolation_level?: IsolationLevel;
}

export class RouteMatchedResponse {
  @ApiProperty({ description: MATCHED_BY.description, enum: MATCHED_BY.enum, example: 'tenant' })
  readonly by!: string;

  @ApiPropertyOptional({ description: 'The pattern that has the namespace.', example: 'acme-*' })
  readonly pattern?: string;

  @ApiPropertyOptional({
    description: 'The rule that holds, whether or not it chose the pool.',
    example: 'tenant_routing.rules[1]',
  })
  readonly rule?: string;

  @ApiPropertyOptional({ description: 'The entry that chose the pool.', example: 'namespace_routing[0]' })
  readonly entry?: string;
}

export class RouteResponse {
  @ApiPropertyOptional({ description: 'The tenant that the namespace belongs to.', example: 'acme' })
  readonly tenant_id?: string;

  @ApiProperty({
    description: 'Whether the tenant has its proxies for itself.',
    enum: DEPLOYMENTS,
    example: 'multi_tenant',
  })
  readonly deployment!: Deployment;

  @ApiProperty({ description: 'Where requests go.', example: 'premium' })
  readonly pool!: string;

  @ApiProperty({ description: 'What shares connections to a backend.', enum: ISOLATION_LEVELS, example: 'namespace' })
  readonly isolation_level!: IsolationLevel;

  @ApiProperty({ description: 'Connections, by backend.', type: ConnectionPoolsBody })
  readonly connection_pools!: ConnectionPoolsBody;

  @ApiProperty({ description: 'What chose the pool.', type: RouteMatchedResponse })
  readonly matched!: RouteMatchedResponse;
}

export class ResolveResponse extends RouteResponse {
  @ApiProperty({ description: 'As asked.', example: 'acme-orders' })
  readonly namespace!: string;
}

export class ConditionResponse {
  @ApiProperty({ description: 'Key of `match`.', enum: ['tier', 'annual_revenue', 'contracts'], example: 'tier' })
  readonly key!: string;

  @ApiProperty({ description: 'Whether it holds.', example: true })
  readonly holds!: boolean;

  @ApiProperty({ description: 'Why, following the key.', example: 'is premium' })
  readonly finding!: string;
}

export class StepResponse {
  @ApiProperty({ description: 'What was asked.', enum: STAGES, example: 'tenant_routing' })
  readonly stage!: Stage;

  @ApiProperty({
    description: 'The tenant, or where it stands in the configuration file.',
    example: 'tenant_routing.rules[1]',
  })
  readonly candidate!: string;

  @ApiProperty({ description: 'Whether it chose the pool.', example: true })
  readonly chosen!: boolean;

  @ApiProperty({ description: 'Why, or why not.', example: 'holds: tier is premium; it chooses the pool "premium"' })
  readonly reason!: string;

  @ApiPropertyOptional({ description: 'Of a rule that was asked.', type: [ConditionResponse] })
  readonly conditions?: readonly ConditionResponse[];
}

export class TermResponse {
  @ApiProperty({ description: 'As configuration files name it.', example: 'isolation_level' })
  readonly name!: string;

  @ApiProperty({
    description: 'What it comes to.',
    oneOf: [{ type: 'string' }, { type: 'integer' }],
    example: 'session',
  })
  readonly value!: string | number;

  @ApiProperty({ description: 'What has the last word on it.', example: 'tenant_routing.rules[1]' })
  readonly from!: string;
}

export class ExplainResponse {
  @ApiProperty({
    description: 'In sentences.',
    example: 'Tenant "acme" goes to the pool "premium" (multi_tenant) at isolation level session.',
  })
  readonly summary!: string;

  @ApiPropertyOptional({ description: 'Absent: nowhere, or it depends on the namespace.', type: RouteResponse })
  readonly route?: RouteResponse;

  @ApiProperty({
    description: 'Everything that might have chosen the pool, in the order in which it was asked.',
    type: [StepResponse],
  })
  readonly steps!: readonly StepResponse[];

  @ApiProperty({ description: 'Each term of the route with what it comes from.', type: [TermResponse] })
  readonly terms!: readonly TermResponse[];
}
