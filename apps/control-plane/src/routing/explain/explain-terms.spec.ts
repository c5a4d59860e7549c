import { describe, expect, it } from '@jest/globals';
import { STANDARD, routingSettings, tenant } from '../../../test/support/routing-settings.js';
import { RoutingTable } from '../table/routing-table.js';
import { explainRoute } from './explain-route.js';
import { explainTerms } from './explain-terms.js';

describe(explainTerms.name, () => {
  it('tells the limits of each namespace, which the file says for all', () => {
    const pool = {
      name: STANDARD,
      replicas: 1,
      resources: { cpu: 1, memoryBytes: 1 },
      isolationLevel: 'namespace',
      isolationSettings: { resource_limits: { per_namespace: { max_rps: 100, memory: '64Mi' } } },
    } as const;
    const table = new RoutingTable(routingSettings({ pools: [pool] }));
    const acme = tenant('acme', ['acme'], { pool: STANDARD });
    table.apply({ revision: 1, changed: [acme], removed: [] });
    expect(explainRoute(table, { tenant: { id: acme.id } }).terms).toEqual([
      { name: 'deployment', value: 'multi_tenant', from: 'deployment.model' },
      { name: 'pool', value: 'standard', from: 'tenant "acme"' },
      { name: 'isolation_level', value: 'namespace', from: 'proxy_pools.standard' },
      { name: 'resource_limits.per_namespace.max_rps', value: 100, from: 'resource_limits' },
      { name: 'resource_limits.per_namespace.memory', value: '64Mi', from: 'resource_limits' },
    ]);
  });
});
