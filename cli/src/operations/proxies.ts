import { dataOf } from '@palisade/client';
import type { ApiClient } from '../command/api-client.js';
import type { DocumentedOperation, OperationGroup } from './documented-operation.js';
import { PAGE_OPTIONS } from './operation.js';

const SHARED = { service: 'control-plane' } as const;

export const POOLS: OperationGroup = {
  name: 'pool',
  summary: 'Pools of proxies. Needs an admin token.',
  operations: [
    {
      ...SHARED,
      name: 'list',
      summary: 'List pools',
      method: 'GET',
      path: '/api/v1/pools',
      items: 'items',
      columns: [
        'name',
        'isolation_level',
        'replicas',
        'healthy',
        'tenants',
        'namespaces',
        'usage.sessions',
        'usage.requests_per_second',
        'resources.memory',
      ],
      example: 'pool list',
    },
    {
      ...SHARED,
      name: 'show',
      summary: 'Show a pool with its proxies',
      method: 'GET',
      path: '/api/v1/pools/{name}',
      arguments: [{ name: 'name', text: 'name of the pool' }],
      example: 'pool show premium',
    },
  ],
};

const PROXY = { name: 'id', text: 'id of the proxy' } as const;
const ADJUST = { ...SHARED, method: 'PATCH', path: '/api/v1/proxies/{id}', arguments: [PROXY] } as const;

export const PROXIES: OperationGroup = {
  name: 'proxy',
  summary: 'Proxies. Needs an admin token.',
  operations: [
    {
      ...SHARED,
      name: 'list',
      summary: 'List proxies',
      method: 'GET',
      path: '/api/v1/proxies',
      items: 'items',
      columns: [
        'id',
        'pool',
        'host',
        'port',
        'health',
        'draining',
        'version',
        'policy.state',
        'policy.revision',
        'policy.wanted_revision',
        'policy.rejected',
        'last_heartbeat_at',
        'health_detail',
      ],
      example: 'proxy list',
    },
    {
      ...SHARED,
      name: 'show',
      summary: 'Show a proxy',
      method: 'GET',
      path: '/api/v1/proxies/{id}',
      arguments: [PROXY],
      example: 'proxy show standard-1',
    },
    {
      ...ADJUST,
      name: 'drain',
      summary: 'Let a proxy finish its current requests and send it no new ones',
      body: { draining: true },
      example: 'proxy drain standard-1',
    },
    {
      ...ADJUST,
      name: 'undrain',
      summary: 'Send requests to a drained proxy again',
      body: { draining: false },
      example: 'proxy undrain standard-1',
    },
    {
      ...SHARED,
      name: 'remove',
      summary: 'Remove a proxy that registered itself',
      method: 'DELETE',
      path: '/api/v1/proxies/{id}',
      arguments: [PROXY],
      destroys: async ({ api }: ApiClient<'control-plane'>, values) => {
        const path = { id: String(values['id']) };
        const { id, pool, host, port, health } = dataOf(await api.GET('/api/v1/proxies/{id}', { params: { path } }));
        return [`proxy "${id}" (${host}:${port}, ${health}) will be gone from the pool "${pool}"`];
      },
      example: 'proxy remove standard-1',
    },
  ],
};

export const LOAD_BALANCER: OperationGroup = {
  name: 'lb',
  summary: 'The load balancer. Needs an admin token.',
  operations: [
    {
      ...SHARED,
      name: 'preview',
      summary: 'Show what applying the current state would change',
      method: 'GET',
      path: '/api/v1/loadbalancer/preview',
      items: 'files',
      columns: ['path', 'change', 'bytes', 'lines_added', 'lines_removed'],
      example: 'lb preview',
    },
    {
      ...SHARED,
      name: 'reload',
      summary: 'Check the configuration and reload it',
      method: 'POST',
      path: '/api/v1/loadbalancer/reload',
      example: 'lb reload',
    },
    {
      ...SHARED,
      name: 'versions',
      summary: 'List the versions that were applied or rejected',
      method: 'GET',
      path: '/api/v1/loadbalancer/versions',
      options: PAGE_OPTIONS,
      items: 'items',
      columns: ['at', 'version', 'result', 'method', 'actor', 'duration_ms', 'reason'],
      example: 'lb versions --limit 10',
    },
    {
      ...SHARED,
      name: 'status',
      summary: 'Show the last version, and any problems with it',
      method: 'GET',
      path: '/api/v1/loadbalancer/status',
      example: 'lb status',
    },
  ],
};

export const USAGE: DocumentedOperation = {
  ...SHARED,
  name: 'usage',
  summary: 'Show what namespaces use at all proxies, the busiest first',
  method: 'GET',
  path: '/api/v1/usage',
  options: [
    { flags: '--tenant <tenant_id>', text: 'only namespaces of this tenant', field: 'tenant' },
    { flags: '--namespace <name>', text: 'only this namespace', field: 'namespace' },
    { flags: '--pool <name>', text: 'only what proxies of this pool report', field: 'pool' },
    { flags: '--limit <count>', text: 'namespaces at most', field: 'limit', kind: 'number' },
  ],
  items: 'namespaces',
  columns: ['namespace', 'tenant_id', 'proxies', 'sessions', 'requests', 'errors', 'p50_ms', 'p99_ms'],
  example: 'usage --tenant acme',
};

export const STATUS: DocumentedOperation = {
  ...SHARED,
  name: 'status',
  summary: 'Show the latest report of the control plane leader. Needs an admin token.',
  method: 'GET',
  path: '/api/v1/status',
  example: 'status --json',
};
