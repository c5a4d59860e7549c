import { describe, expect, it } from '@jest/globals';
import { STANDARD, routingSettings, tenant } from '../../../test/support/routing-settings.js';
import { RoutingTable } from '../table/routing-table.js';
import { explainRoute } from './explain-route.js';
import { explainTerms } from './explain-terms.js';

describe(explainTerms.name, () => {
  it('tells the limits of each namespace, with the last who has said each', () => {
    const rule = {
      match: { tier: 'premium' },
      action: { deployment: 'multi_tenant', resourceLimits: { maxRps: 200, bytes: 2 ** 29 } },
    } as const;
    const resourceLimits = { maxRps: 100, cores: 0.5, bytes: 2 ** 26 };
    const table = new RoutingTable(routingSettings({ resourceLimits, rules: [rule] }));
    const acme = tenant('acme', ['acme'], { pool: STANDARD, tier: 'premium', resourceLimits: { maxRps: 300 } });
    table.apply({ revision: 1, changed: [acme], removed: [] });
    expect(explainRoute(table, { tenant: { id: acme.id } }).terms).toEqual([
      { name: 'deployment', value: 'multi_tenant', from: 'tenant_routing.rules[0]' },
      { name: 'pool', value: 'standard', from: 'tenant "acme"' },
      { name: 'isolation_level', value: 'namespace', from: 'proxy_pools.standard' },
      { name: 'resource_limits.per_namespace.cpu', value: '0.5', from: 'resource_limits' },
      { name: 'resource_limits.per_namespace.memory', value: '512Mi', from: 'tenant_routing.rules[0]' },
      { name: 'resource_limits.per_namespace.max_rps', value: 300, from: 'tenant "acme"' },
    ]);
  });
});
