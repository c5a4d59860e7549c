import { ApiProperty, OmitType, type ExamplesObject } from '@nestjs/swagger';
import {
  DEPLOYMENTS,
  ISOLATION_LEVELS,
  TIERS,
  type Deployment,
  type IsolationLevel,
  type Tier,
} from '@palisade/domain';
import { Choice, Decimal, Flag, List, Name, Nested, Text } from '@palisade/platform';
import { ConnectionPoolsBody } from './connection-pools.dto.js';
import { ResourceLimitsBody } from './resource-limits.dto.js';
import { STAGES, type Stage } from './explain/explanation.js';
import type { PoolChoice } from './table/route.js';

const POOL_CHOICES = [
  'deployment',
  'tenant',
  'rule',
  'namespace_routing',
  'default_pool',
] as const satisfies readonly PoolChoice[];

/** What a tenant says about itself, in requests and answers. What is absent is decided by rules, pools and defaults. */
export class TenantTerms {
  @Name('Pool that the tenant is to be in, whatever the rules say.', { example: 'premium', optional: true })
  readonly pool?: string;

  @Choice('Isolation level of the tenant, whatever the rules and its pool say.', ISOLATION_LEVELS, {
    example: 'namespace',
    optional: true,
  })
  readonly isolation_level?: IsolationLevel;

  @Choice('Tier of the tenant, which rules ask about.', TIERS, { example: 'premium', optional: true })
  readonly tier?: Tier;

  @Decimal('Annual revenue of the tenant, which rules ask about.', {
    minimum: 0,
    maximum: 1e15,
    example: 25_000,
    optional: true,
  })
  readonly annual_revenue?: number;

  @Nested('Connections of the tenant; overrides rules and defaults.', ConnectionPoolsBody, { optional: true })
  readonly connection_pools?: ConnectionPoolsBody;

  @Nested('What each of its namespaces may use of each proxy; overrides rules and defaults.', ResourceLimitsBody, {
    optional: true,
  })
  readonly resource_limits?: ResourceLimitsBody;
}

export class ResolveParameters {
  @Name('Name of the namespace.', { example: 'acme-orders' })
  readonly namespace!: string;
}

/** A namespace, or a tenant that exists or might, or both. */
export class ExplainBody extends OmitType(TenantTerms, ['connection_pools', 'resource_limits']) {
  @Name('Name of a namespace.', { example: 'acme-orders', optional: true })
  readonly namespace?: string;

  @Name('Id of a tenant. If it is registered, what the body omits is taken from there.', {
    example: 'acme',
    optional: true,
  })
  readonly tenant_id?: string;
}

/** What chose the pool of a tenant. */
export class MatchedResponse {
  @Choice(
    'What chose the pool: the installation for a single tenant, the tenant itself, a rule, an entry of namespace_routing, or default_pool.',
    POOL_CHOICES,
    { example: 'rule' },
  )
  readonly by!: PoolChoice;

  @Text('The rule that holds for the tenant, whether or not it chose the pool.', {
    example: 'tenant_routing.rules[1]',
    optional: true,
  })
  readonly rule?: string;
}

/** What chose the pool of a namespace. */
export class RouteMatchedResponse extends MatchedResponse {
  @Text('The pattern that has the namespace.', { example: 'acme-*', optional: true })
  readonly pattern?: string;

  @Text('The entry that chose the pool.', { example: 'namespace_routing[0]', optional: true })
  readonly entry?: string;
}

export class RouteResponse {
  @Text('The tenant that the namespace belongs to; absent when there is none that the caller may see.', {
    example: 'acme',
    optional: true,
  })
  readonly tenant_id?: string;

  @Choice('Whether the tenant has its proxies for itself.', DEPLOYMENTS, { example: 'multi_tenant' })
  readonly deployment!: Deployment;

  @Text('Where requests go.', { example: 'premium' })
  readonly pool!: string;

  @Choice('What shares connections to a backend.', ISOLATION_LEVELS, { example: 'namespace' })
  readonly isolation_level!: IsolationLevel;

  @Nested('Connections, by backend.', ConnectionPoolsBody)
  readonly connection_pools!: ConnectionPoolsBody;

  @Nested('What each namespace may use of each proxy.', ResourceLimitsBody)
  readonly resource_limits!: ResourceLimitsBody;

  @Nested('What chose the pool.', RouteMatchedResponse)
  readonly matched!: RouteMatchedResponse;
}

export class ResolveResponse extends RouteResponse {
  @Text('The namespace, as asked.', { example: 'acme-orders' })
  readonly namespace!: string;
}

export class ConditionResponse {
  @Choice('Key of `match`.', ['tier', 'annual_revenue', 'contracts'], { example: 'tier' })
  readonly key!: string;

  @Flag('Whether it holds.', { example: true })
  readonly holds!: boolean;

  @Text('Why, following the key.', { example: 'is premium' })
  readonly finding!: string;
}

export class StepResponse {
  @Choice('What was asked.', STAGES, { example: 'tenant_routing' })
  readonly stage!: Stage;

  @Text('The tenant, or where it stands in the configuration file.', { example: 'tenant_routing.rules[1]' })
  readonly candidate!: string;

  @Flag('Whether it chose the pool.', { example: true })
  readonly chosen!: boolean;

  @Text('Why, or why not.', { example: 'holds: tier is premium; it chooses the pool "premium"' })
  readonly reason!: string;

  @List('Conditions of a rule that was asked.', ConditionResponse, { optional: true })
  readonly conditions?: readonly ConditionResponse[];
}

export class TermResponse {
  @Text('As configuration files name it.', { example: 'isolation_level' })
  readonly name!: string;

  @ApiProperty({
    description: 'What it comes to.',
    oneOf: [{ type: 'string' }, { type: 'integer' }],
    example: 'session',
  })
  readonly value!: string | number;

  @Text('What has the last word on it.', { example: 'tenant_routing.rules[1]' })
  readonly from!: string;
}

export class ExplainResponse {
  @Text('In sentences.', {
    example: 'Tenant "acme" goes to the pool "premium" (multi_tenant) at isolation level session.',
  })
  readonly summary!: string;

  @Nested('Absent: nowhere, or it depends on the namespace.', RouteResponse, { optional: true })
  readonly route?: RouteResponse;

  @List('Everything that might have chosen the pool, in the order in which it was asked.', StepResponse)
  readonly steps!: readonly StepResponse[];

  @List('Each term of the route with what it comes from.', TermResponse)
  readonly terms!: readonly TermResponse[];
}

export const EXPLAIN_EXAMPLES: ExamplesObject = {
  namespace: { summary: 'A namespace', value: { namespace: 'acme-orders' } },
  tenant: {
    summary: 'A hypothetical tenant',
    value: { tenant_id: 'initech', tier: 'premium', annual_revenue: 25_000 },
  },
};
