import { dataOf } from '@palisade/client';
import type { ApiClient } from '../command/api-client.js';
import type { DocumentedOperation, OperationGroup } from './documented-operation.js';
import { PAGE_OPTIONS, type OperationOption } from './operation.js';

const SHARED = { service: 'control-plane' } as const;
const TENANT = { name: 'tenant_id', text: 'id of the tenant' } as const;
const TIERS = ['enterprise', 'premium', 'standard'] as const;
const LEVELS = ['none', 'namespace', 'session'] as const;

const TRAITS = [
  { flags: '--tier <tier>', text: 'tier of the tenant', field: 'tier', choices: TIERS },
  { flags: '--annual-revenue <amount>', text: 'annual revenue', field: 'annual_revenue', kind: 'number' },
  { flags: '--pool <name>', text: 'proxy pool, overriding the routing rules', field: 'pool' },
  {
    flags: '--isolation-level <level>',
    text: 'how far connections are separated',
    field: 'isolation_level',
    choices: LEVELS,
  },
] as const satisfies readonly OperationOption[];
const SETTINGS = [
  {
    flags: '--patterns <patterns...>',
    text: 'patterns for the names of its namespaces, with the wildcards `*` and `?`',
    field: 'namespace_patterns',
    kind: 'list',
  },
  ...TRAITS,
  {
    flags: '--max-rps <count>',
    text: 'requests per second of each of its namespaces at each proxy',
    field: 'resource_limits.max_rps',
    kind: 'number',
  },
  {
    flags: '--cpu <cores>',
    text: 'cores whose time each of its namespaces may use of each proxy, such as `500m`',
    field: 'resource_limits.cpu',
  },
  {
    flags: '--memory <amount>',
    text: 'memory that each proxy may hold for each of its namespaces, such as `512Mi`',
    field: 'resource_limits.memory',
  },
] as const satisfies readonly OperationOption[];

export const TENANTS: OperationGroup = {
  name: 'tenant',
  summary: 'Tenants of the control plane. Needs an admin token.',
  operations: [
    {
      ...SHARED,
      name: 'list',
      summary: 'List tenants',
      method: 'GET',
      path: '/api/v1/tenants',
      options: [{ flags: '--pool <name>', text: 'only tenants of this pool', field: 'pool' }, ...PAGE_OPTIONS],
      items: 'items',
      columns: [
        'tenant_id',
        'namespace_patterns',
        'tier',
        'routing.pools',
        'routing.isolation_level',
        'usage.sessions',
        'usage.requests_per_second',
        'usage.max_rps',
        'source',
      ],
      example: 'tenant list --pool premium',
    },
    {
      ...SHARED,
      name: 'show',
      summary: 'Show a tenant and its routing',
      method: 'GET',
      path: '/api/v1/tenants/{tenant_id}',
      arguments: [TENANT],
      example: 'tenant show acme',
    },
    {
      ...SHARED,
      name: 'register',
      summary: 'Register a tenant; repeating it changes nothing',
      method: 'POST',
      path: '/api/v1/tenants',
      arguments: [{ ...TENANT, field: 'tenant_id' }],
      options: SETTINGS,
      takesFile: true,
      example: "tenant register acme --patterns 'acme-*' --tier premium --max-rps 200",
    },
    {
      ...SHARED,
      name: 'replace',
      summary: 'Replace the settings of a tenant',
      method: 'PUT',
      path: '/api/v1/tenants/{tenant_id}',
      arguments: [TENANT],
      options: SETTINGS,
      takesFile: true,
      example: "tenant replace acme --patterns 'acme-*' acme --tier enterprise",
    },
    {
      ...SHARED,
      name: 'remove',
      summary: 'Remove a tenant',
      method: 'DELETE',
      path: '/api/v1/tenants/{tenant_id}',
      arguments: [TENANT],
      destroys: async ({ api }: ApiClient<'control-plane'>, values) => {
        const path = { tenant_id: String(values['tenant_id']) };
        const {
          tenant_id: id,
          namespace_patterns: patterns,
          routing,
        } = dataOf(await api.GET('/api/v1/tenants/{tenant_id}', { params: { path } }));
        const pools = routing.pools.join(', ') || 'no pool';
        return [
          `tenant "${id}" will be gone`,
          `${patterns.join(', ')}: routed to ${pools} until now, then as if it had never been registered`,
        ];
      },
      example: 'tenant remove acme',
    },
  ],
};

export const ROUTES: OperationGroup = {
  name: 'route',
  summary: 'Where requests are routed. Needs an admin token.',
  operations: [
    {
      ...SHARED,
      name: 'resolve',
      summary: 'Show where requests of a namespace are routed',
      method: 'GET',
      path: '/api/v1/routing/resolve',
      arguments: [{ name: 'namespace', text: 'name of the namespace', field: 'namespace' }],
      example: 'route resolve acme-orders',
    },
    {
      ...SHARED,
      name: 'explain',
      summary: 'Explain why a namespace or a tenant is routed as it is',
      method: 'POST',
      path: '/api/v1/routing/explain',
      options: [
        { flags: '--namespace <name>', text: 'name of a namespace', field: 'namespace' },
        { flags: '--tenant <id>', text: 'id of a tenant, which need not exist', field: 'tenant_id' },
        ...TRAITS,
      ],
      headline: 'summary',
      items: 'steps',
      columns: ['stage', 'candidate', 'chosen', 'reason'],
      example: 'route explain --namespace acme-orders',
    },
  ],
};

export const SIZING: DocumentedOperation = {
  ...SHARED,
  name: 'sizing',
  summary: 'Calculate how many proxies and connections a number of tenants needs. Needs an admin token.',
  method: 'GET',
  path: '/api/v1/sizing',
  arguments: [{ name: 'tenants', text: 'number of tenants', field: 'tenants' }],
  options: [
    {
      flags: '--from <origin>',
      text: 'the table of experience, or what tenants use now',
      field: 'from',
      choices: ['table', 'usage'],
    },
  ],
  example: 'sizing 250',
};
