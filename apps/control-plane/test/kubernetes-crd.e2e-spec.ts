import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BACKEND_KINDS, ISOLATION_LEVELS, TIERS } from '@palisade/domain';
import { toDraft } from '../src/kubernetes/tenants/prism-tenant.mapper.js';
import { readManifests } from './support/kubernetes/manifests.js';
import type { Json } from './support/kubernetes/merge-patch.js';
import { TestCluster, isRealCluster } from './support/kubernetes/test-cluster.js';

const [definition = {}] = readManifests('crd/prismtenants.prism.io.yaml') as {
  readonly spec?: { readonly versions: readonly [{ readonly schema: { readonly openAPIV3Schema: Json } }] };
}[];
const schema = definition.spec?.versions[0].schema.openAPIV3Schema ?? {};
const isValid = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);

const FULL = {
  namespaces: ['acme', 'acme-eu'],
  pool: 'premium',
  isolation_level: 'session',
  tier: 'enterprise',
  annual_revenue: 1e15,
  connection_pools: {
    postgres: { connections_per_namespace: 1, max_total_connections: 1 },
    redis: { max_connections: 1_000_000, per_session_limit: 2 },
    nats: {},
    kafka: { max_total_connections: 5 },
  },
  resource_limits: { cpu: '500m', memory: '512Mi', max_rps: 1_000_000 },
};
const LABEL_63 = 'a'.repeat(63);

/** What the API server says of a tenant that it rejects; without one, what the schema alone says. */
describe('prismtenants.prism.io', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await TestCluster.start();
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  async function problemOf(spec: unknown, name = 'acme'): Promise<string | undefined> {
    const resource = { apiVersion: 'prism.io/v1alpha1', kind: 'PrismTenant', metadata: { name }, spec };
    if (!isRealCluster()) {
      const { errors } = isValid(resource) ? { errors: [] } : isValid;
      return errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join() || undefined;
    }
    try {
      const path = cluster.pathOf('/apis/prism.io/v1alpha1', 'prismtenants');
      await cluster.administer('POST', `${path}?dryRun=All&fieldValidation=Strict`, resource);
      return undefined;
    } catch (error) {
      return String(error);
    }
  }

  it.each([
    ['the least', { namespaces: ['a'] }],
    ['everything', FULL],
    ['the longest names', { namespaces: [LABEL_63], pool: LABEL_63 }],
    ['a thousand namespaces', { namespaces: Array.from({ length: 1000 }, (_, index) => `n-${index}`) }],
    ['nothing for money', { namespaces: ['a'], annual_revenue: 0 }],
  ])('accepts %s, which the control plane understands', async (_, spec) => {
    expect(await problemOf(spec)).toBeUndefined();
    expect(() => toDraft(spec)).not.toThrow();
  });

  it.each([
    ['no spec', undefined],
    ['no namespaces', { pool: 'premium' }],
    ['an empty list of namespaces', { namespaces: [] }],
    ['too many namespaces', { namespaces: Array.from({ length: 1001 }, (_, index) => `n-${index}`) }],
    ['a pattern', { namespaces: ['acme-*'] }],
    ['a namespace in capitals', { namespaces: ['Acme'] }],
    ['a namespace with a dot', { namespaces: ['a.b'] }],
    ['a namespace that is too long', { namespaces: ['a'.repeat(64)] }],
    ['a namespace with an end of line', { namespaces: ['a\n'] }],
    ['an empty pool', { namespaces: ['a'], pool: '' }],
    ['an unknown level', { namespaces: ['a'], isolation_level: 'shared' }],
    ['an unknown tier', { namespaces: ['a'], tier: 'gold' }],
    ['less than nothing', { namespaces: ['a'], annual_revenue: -1 }],
    ['more money than there is', { namespaces: ['a'], annual_revenue: 1e15 + 1 }],
    ['a text for a number', { namespaces: ['a'], annual_revenue: '>10' }],
    ['no connections', { namespaces: ['a'], connection_pools: { redis: { max_connections: 0 } } }],
    ['no requests', { namespaces: ['a'], resource_limits: { max_rps: 0 } }],
    ['cores that are none', { namespaces: ['a'], resource_limits: { cpu: 'two' } }],
    ['memory in no unit that there is', { namespaces: ['a'], resource_limits: { memory: '1Pi' } }],
    ['half a connection', { namespaces: ['a'], connection_pools: { redis: { max_connections: 1.5 } } }],
  ])('rejects %s, as the control plane does', async (_, spec) => {
    expect(await problemOf(spec)).toEqual(expect.any(String));
    expect(() => toDraft(spec)).toThrow(/expected/);
  });

  it.each(['a.b', 'a'.repeat(64)])('rejects the name %j, which no tenant can have', async (name) => {
    expect(await problemOf({ namespaces: ['a'] }, name)).toMatch(/name/);
  });

  it('knows the words that the control plane knows', () => {
    expect(schema).toMatchObject({
      properties: {
        spec: { properties: { isolation_level: { enum: ISOLATION_LEVELS }, tier: { enum: TIERS } } },
        status: { properties: { isolation_level: { enum: ISOLATION_LEVELS } } },
      },
    });
    const { connection_pools: pools } = (schema['properties'] as Record<'spec', { properties: Record<string, Json> }>)
      .spec.properties;
    expect(Object.keys(pools?.['properties'] ?? {}).sort()).toEqual([...BACKEND_KINDS].sort());
  });

  // What only an API server checks.
  if (isRealCluster()) {
    it.each([
      ['the same namespace twice', { namespaces: ['a', 'a'] }, /Duplicate value/],
      ['what it does not know', { namespaces: ['a'], isolationLevel: 'none' }, /unknown field/],
      [
        'more connections for one namespace than in all',
        { namespaces: ['a'], connection_pools: { redis: { connections_per_namespace: 2, max_total_connections: 1 } } },
        /connections_per_namespace: Invalid value.*at most max_total_connections/,
      ],
      [
        'more connections for one session than in all',
        { namespaces: ['a'], connection_pools: { kafka: { per_session_limit: 2, max_connections: 1 } } },
        /per_session_limit: Invalid value.*at most max_connections/,
      ],
    ])('rejects %s', async (_, spec, message) => {
      expect(await problemOf(spec)).toMatch(message);
    });

    it('shows people what matters', async () => {
      await cluster.createTenant('acme', FULL);
      await cluster.changeTenantStatus('acme', {
        namespace_count: 2,
        pools: ['premium'],
        conditions: [
          {
            type: 'Accepted',
            status: 'True',
            reason: 'Accepted',
            message: '',
            lastTransitionTime: '2026-11-20T08:30:00Z',
          },
        ],
      });
      const table = await cluster.getTable('/apis/prism.io/v1alpha1', 'prismtenants');
      expect(table).toEqual([
        {
          Name: 'acme',
          Pool: 'premium',
          Isolation: 'session',
          Namespaces: 2,
          First: 'acme',
          Accepted: 'True',
          Reason: 'Accepted',
          Routed: null,
          Pools: '["premium"]',
          Age: expect.any(String),
        },
      ]);
    });
  }
});
