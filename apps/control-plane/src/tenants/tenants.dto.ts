import type { ExamplesObject } from '@nestjs/swagger';
import {
  DEPLOYMENTS,
  ISOLATION_LEVELS,
  TENANCY_MODELS,
  parseTenantId,
  type Deployment,
  type IsolationLevel,
  type TenancyModel,
} from '@palisade/domain';
import {
  Choice,
  IgnoresFieldsOf,
  Integer,
  LABEL,
  List,
  Name,
  Nested,
  PageParameters,
  PathParameter,
  Text,
  Texts,
  Time,
  pageOf,
} from '@palisade/platform';
import { HealthyProxyResponse } from '../proxies/proxies.dto.js';
import { TenantUsageResponse } from '../usage/usage.dto.js';
import { ConnectionPoolsBody } from '../routing/connection-pools.dto.js';
import { ResourceLimitsBody } from '../routing/resource-limits.dto.js';
import { MatchedResponse, TenantTerms, TermResponse } from '../routing/routing.dto.js';

const MAX_PATTERN_LENGTH = 63;
const PATTERNS = 'Namespaces of the tenant: names, and globs with `*` for any characters and `?` for one.';
const PATTERNS_EXAMPLE = ['acme', 'acme-*'];

/** The id of a tenant in a path. */
export const TenantParam = PathParameter(
  'tenant_id',
  'Id of the tenant.',
  { ...LABEL, example: 'acme' },
  parseTenantId,
);

export class TenantBody extends TenantTerms {
  @Text('The only entry of `namespace_patterns`; exactly one of the two is required.', {
    maxLength: MAX_PATTERN_LENGTH,
    example: 'acme-*',
    optional: true,
  })
  readonly namespace_pattern?: string;

  @Texts(PATTERNS, {
    maxLength: MAX_PATTERN_LENGTH,
    minItems: 1,
    maxItems: 1000,
    example: PATTERNS_EXAMPLE,
    optional: true,
  })
  readonly namespace_patterns?: readonly string[];
}

export class ListTenantsParameters extends PageParameters {
  @Name('Only tenants with namespaces in this pool.', { example: 'premium', optional: true })
  readonly pool?: string;
}

export class TenantRoutingResponse {
  @Choice('How the whole installation is deployed.', TENANCY_MODELS, { example: 'hybrid' })
  readonly tenancy_model!: TenancyModel;

  @Choice('Whether the tenant has its proxies for itself.', DEPLOYMENTS, { example: 'multi_tenant' })
  readonly deployment!: Deployment;

  @Text('Where all namespaces go; absent when they go to several pools, or nowhere.', {
    example: 'premium',
    optional: true,
  })
  readonly pool?: string;

  @Texts('Where namespaces go.', { example: ['premium'] })
  readonly pools!: readonly string[];

  @Choice('Absent when the pools have different ones.', ISOLATION_LEVELS, { example: 'namespace', optional: true })
  readonly isolation_level?: IsolationLevel;

  @Nested('Connections, by backend.', ConnectionPoolsBody)
  readonly connection_pools!: ConnectionPoolsBody;

  @Nested('What each namespace may use of each proxy.', ResourceLimitsBody)
  readonly resource_limits!: ResourceLimitsBody;

  @Nested('What chose the pool.', MatchedResponse)
  readonly matched!: MatchedResponse;

  @List('Proxies that take requests; not in lists, nor while the store is unreachable.', HealthyProxyResponse, {
    optional: true,
  })
  readonly healthy_proxies?: readonly HealthyProxyResponse[];
}

export class DrainingResponse {
  @Text('The pool that the tenant has left.', { example: 'standard' })
  readonly pool!: string;

  @Time('Until when its proxies may be busy for the tenant.', { example: '2026-11-20T08:30:30.000Z' })
  readonly until!: string;
}

/** A tenant as it was registered, and in `routing` what follows from that. */
export class TenantResponse extends TenantTerms {
  @Text('Id of the tenant.', { example: 'acme' })
  readonly tenant_id!: string;

  @Texts(PATTERNS, { example: PATTERNS_EXAMPLE })
  readonly namespace_patterns!: readonly string[];

  @Nested(
    'Where its requests go, and on which terms: these count, not what the tenant asks for.',
    TenantRoutingResponse,
  )
  readonly routing!: TenantRoutingResponse;

  @List('Each setting that applies to its namespaces, with its source; absent in lists.', TermResponse, {
    optional: true,
  })
  readonly settings?: readonly TermResponse[];

  @Nested('What its namespaces use at all proxies; absent when no proxy reports it.', TenantUsageResponse, {
    optional: true,
  })
  readonly usage?: TenantUsageResponse;

  @Nested('A pool that the tenant has left and that may still be busy for it.', DrainingResponse, { optional: true })
  readonly draining?: DrainingResponse;

  @Choice('Who manages the tenant: only there it can be changed.', ['api', 'kubernetes', 'configuration'], {
    example: 'api',
  })
  readonly source!: string;

  @Integer('Increases with each change; the first part of the ETag.', { example: 1, optional: true })
  readonly version?: number;

  @Time('When it was registered.', { optional: true })
  readonly created_at?: string;

  @Time('When it last changed.', { optional: true })
  readonly modified_at?: string;
}

@IgnoresFieldsOf(TenantResponse)
export class RegisterTenantBody extends TenantBody {
  @Name('Id of the tenant.', { example: 'acme' })
  readonly tenant_id!: string;
}

@IgnoresFieldsOf(TenantResponse)
export class ReplaceTenantBody extends TenantBody {
  @Name('As in the path, if it is there.', { example: 'acme', optional: true })
  readonly tenant_id?: string;
}

export class TenantPage extends pageOf(TenantResponse, 'In order of id.') {}

export const REGISTER_TENANT_EXAMPLES: ExamplesObject = {
  placed: {
    summary: 'A tenant in a pool',
    value: { tenant_id: 'acme', namespace_pattern: 'acme-*', pool: 'standard', isolation_level: 'namespace' },
  },
  several: {
    summary: 'Several namespaces, and connections of its own',
    value: {
      tenant_id: 'globex',
      namespace_patterns: ['globex', 'globex-*'],
      pool: 'premium',
      connection_pools: { redis: { connections_per_namespace: 20 } },
    },
  },
  limited: {
    summary: 'Limits of its own',
    value: { tenant_id: 'initech', namespace_pattern: 'initech', pool: 'standard', resource_limits: { max_rps: 200 } },
  },
};

export const REPLACE_TENANT_EXAMPLES: ExamplesObject = {
  move: { summary: 'Another pool', value: { namespace_pattern: 'acme-*', pool: 'premium' } },
};
