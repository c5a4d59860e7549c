import { DEPLOYMENTS, ISOLATION_LEVELS, TIERS } from '@palisade/domain';
import {
  choice,
  CONNECTIONS,
  integer,
  list,
  NAMESPACE_PATTERN,
  NAMESPACE_RESOURCES,
  optional,
  POOL_NAME,
  required,
  section,
  TENANT_ID,
  textOf,
  withDefault,
} from '@palisade/isolation/settings';
import type { z } from 'zod';
import { perBackend } from './backends.js';

const OPERATORS = ['>=', '<=', '==', '>', '<'] as const;

export interface RevenueCondition {
  readonly operator: (typeof OPERATORS)[number];
  readonly amount: number;
}

/** A comparison with an amount, such as `>100000`. */
export const REVENUE: z.ZodType<RevenueCondition, string> = textOf({
  expected: 'an operator (>, >=, <, <= or ==) and a number, such as ">100000"',
  pattern: /^(>=|<=|==|>|<) *\d{1,15}(\.\d{1,4})?$/,
  read: (given) => {
    const [, written, amount] = /^(>=|<=|==|>|<) *([\d.]+)$/.exec(given) ?? [];
    const operator = OPERATORS.find((each) => each === written);
    return operator === undefined ? undefined : { operator, amount: Number(amount) };
  },
  write: ({ operator, amount }) => `${operator}${amount}`,
});

export const ROUTE_WEIGHT: z.ZodType<number, number> = integer(1, 1000);

const NAMESPACE_ROUTE = section({
  namespace: required(
    NAMESPACE_PATTERN,
    'Namespaces that the entry is about; of several that match, the most exact has them.',
    { property: 'pattern' },
  ),
  pool: required(POOL_NAME, 'Pool that they go to.'),
  weight: withDefault(ROUTE_WEIGHT, 1, 'Entries with the same pattern share its namespaces in this proportion.'),
});

export type NamespaceRoute = z.output<typeof NAMESPACE_ROUTE>;

export const NAMESPACE_ROUTES = list(NAMESPACE_ROUTE, 1_000_000);

const RULE_MATCH = section({
  tier: optional(choice(TIERS), 'Tier of the tenant.'),
  annual_revenue: optional(REVENUE, 'Annual revenue of the tenant.'),
  contracts: optional(list(TENANT_ID, 1000), 'The tenant is one of these.'),
});

/** The limits that a tenant may have of its own. */
export const TENANT_LIMITS = {
  connections_per_namespace: optional(CONNECTIONS, 'Connections of one namespace to the backend.', {
    levels: ['namespace', 'session'],
  }),
  max_total_connections: optional(
    CONNECTIONS,
    'Connections of all namespaces to the backend; a hard limit of one proxy.',
  ),
  max_connections: optional(CONNECTIONS, 'Another name of `max_total_connections`.'),
  per_session_limit: optional(CONNECTIONS, 'Connections of one session to the backend.', {
    levels: ['session'],
  }),
};

const BACKEND_LIMITS = section(TENANT_LIMITS);

const RULE_CONNECTION_POOLS = section(perBackend(BACKEND_LIMITS));

const RULE_ACTION = section({
  deployment: required(choice(DEPLOYMENTS), 'Proxies of its own, or shared ones.'),
  pool: optional(POOL_NAME, 'Pool of the tenant, unless it names one itself.', {
    computedDefault:
      '`single_tenant`: one named like the tenant, else `dedicated`; `multi_tenant`: as `namespace_routing` and `default_pool` say',
  }),
  isolation_level: optional(choice(ISOLATION_LEVELS), 'Isolation level of the tenant.', {
    computedDefault: 'the level of the pool',
  }),
  connection_pools: optional(
    RULE_CONNECTION_POOLS,
    'Connections of the tenant, where they differ from those of the file.',
  ),
  resource_limits: optional(
    NAMESPACE_RESOURCES,
    'What each namespace of the tenant may use of one proxy, where it differs from `resource_limits.per_namespace`.',
  ),
});

const RULE = section({
  match: required(RULE_MATCH, 'What tenants the rule is for: all of its keys hold. Without keys: for all tenants.'),
  action: required(RULE_ACTION, 'Where these tenants run.'),
});

export const TENANT_ROUTING = section({
  rules: withDefault(list(RULE, 500), [], 'Rules, tried in order; the first that matches decides.'),
});
