import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseNamespacePattern, parseTenantId, type JsonObject, type Tenant } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import { KubernetesReport } from '../src/kubernetes/kubernetes-report.js';
import { PrismTenantsDuty } from '../src/kubernetes/tenants/prism-tenants.duty.js';
import { Registry } from '../src/registry/registry.js';
import { RoutingTable } from '../src/routing/table/routing-table.js';
import { StorePreparation } from '../src/store/store-preparation.js';
import { DutyRun } from './support/kubernetes/duty-run.js';
import { TestCluster } from './support/kubernetes/test-cluster.js';
import { PREMIUM, STANDARD, routingSettings, type RoutingOverrides } from './support/routing-settings.js';
import { until } from './support/until.js';

const CHANGE = { actor: 'ann@example.com', at: new Date(0) };
const TIMING = { retryMinMs: 20, retryMaxMs: 200, confirmPauseMs: 50 };
const STATUS_WRITES = /^PATCH .*\/status/;

describe(PrismTenantsDuty.name, () => {
  let cluster: TestCluster;
  let store: MemoryStore;
  let stop: AsyncDisposableStack;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    cluster = await TestCluster.start();
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    store = new MemoryStore();
    stop = new AsyncDisposableStack();
  });
  afterEach(async () => {
    await stop.disposeAsync();
    cluster.link.clear();
    await cluster.empty();
  });

  async function start(overrides: RoutingOverrides = {}): Promise<PrismTenantsDuty> {
    const settings = routingSettings(overrides);
    const preparation = new StorePreparation(store);
    await preparation.onApplicationBootstrap();
    const registry = new Registry(store, preparation, new RoutingTable(settings));
    registry.onApplicationBootstrap();
    stop.defer(() => registry.onModuleDestroy());
    const api = cluster.connect();
    stop.defer(() => api.close());
    const report = new KubernetesReport(store.operations);
    const options = { settings, namespace: cluster.namespace, watch: { timing: TIMING } };
    const duty = new PrismTenantsDuty(store, registry, api, report, options);
    stop.use(await DutyRun.start(duty, store));
    return duty;
  }

  /** Ends the term, and whatever came with it. */
  async function restart(overrides: RoutingOverrides = {}): Promise<void> {
    await stop.disposeAsync();
    stop = new AsyncDisposableStack();
    await start(overrides);
  }

  const find = (id: string): Promise<Tenant | undefined> => store.tenants.find(parseTenantId(id));
  const register = (id: string, ...patterns: string[]) =>
    store.tenants.register(
      parseTenantId(id),
      'api',
      { namespacePatterns: patterns.map(parseNamespacePattern), pool: STANDARD },
      CHANGE,
    );
  const expectRegistered = (id: string) => until(async () => (await find(id)) !== undefined);
  const expectGone = (id: string) => until(async () => (await find(id)) === undefined);

  async function condition(name: string, type: 'Accepted' | 'Routed'): Promise<JsonObject> {
    const { status } = await cluster.getTenant(name);
    return (status?.conditions.find((each) => each['type'] === type) ?? {}) as JsonObject;
  }
  /** Waits until the condition of the present generation has this reason. */
  async function expectReason(name: string, reason: string, type: 'Accepted' | 'Routed' = 'Accepted') {
    await until(async () => {
      const found = await condition(name, type);
      const { generation } = (await cluster.getTenant(name)).metadata;
      return found['reason'] === reason && found['observedGeneration'] === generation;
    });
    return condition(name, type);
  }
  async function reported(): Promise<JsonObject> {
    const [status] = await store.operations.statuses();
    return (status?.detail['tenants'] ?? {}) as JsonObject;
  }

  describe('a resource', () => {
    it('becomes a tenant', async () => {
      await start();
      await cluster.createTenant('acme', {
        namespaces: ['acme', 'acme-eu'],
        pool: 'premium',
        isolation_level: 'session',
        tier: 'premium',
        annual_revenue: 25_000.5,
        connection_pools: { redis: { max_connections: 20, per_session_limit: 2 } },
      });
      await expectRegistered('acme');
      expect(await find('acme')).toMatchObject({
        source: 'kubernetes',
        namespacePatterns: ['acme', 'acme-eu'],
        pool: 'premium',
        isolationLevel: 'session',
        tier: 'premium',
        annualRevenue: 25_000.5,
        connectionPools: { redis: { maxConnections: 20, perSessionLimit: 2 } },
      });
    });

    it('is told that it was accepted, and where its requests go', async () => {
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme', 'acme-eu'], pool: 'premium' });
      await expectReason('acme', 'Accepted');
      expect((await cluster.getTenant('acme')).status).toEqual({
        observedGeneration: 1,
        namespace_count: 2,
        pools: ['premium'],
        isolation_level: 'namespace',
        conditions: [
          {
            type: 'Accepted',
            status: 'True',
            reason: 'Accepted',
            message: 'the registry has the tenant as it is here',
            lastTransitionTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
            observedGeneration: 1,
          },
          {
            type: 'Routed',
            status: 'True',
            reason: 'Routed',
            message: 'requests go to "premium"',
            lastTransitionTime: expect.any(String),
            observedGeneration: 1,
          },
        ],
      });
    });

    it('changes the tenant when it changes', async () => {
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await expectRegistered('acme');
      await cluster.changeTenant('acme', { spec: { namespaces: ['acme', 'acme-us'], pool: 'standard' } });
      await until(async () => (await find('acme'))?.pool === 'standard');
      expect(await find('acme')).toMatchObject({
        version: 2,
        namespacePatterns: ['acme', 'acme-us'],
        draining: { pool: 'premium' },
      });
      await until(async () => (await cluster.getTenant('acme')).status?.observedGeneration === 2);
    });

    it('takes the tenant along when it is deleted', async () => {
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await expectRegistered('acme');
      await cluster.deleteTenant('acme');
      await expectGone('acme');
    });

    it('gets a pool from rules when it names none', async () => {
      await start({ defaultPool: STANDARD });
      await cluster.createTenant('acme', { namespaces: ['acme'] });
      await expectReason('acme', 'Accepted');
      expect((await cluster.getTenant('acme')).status?.pools).toEqual(['standard']);
    });
  });

  describe('what was done while nobody looked', () => {
    it('is caught up with at the start', async () => {
      await start();
      await cluster.createTenant('stays', { namespaces: ['stays'], pool: 'premium' });
      await cluster.createTenant('goes', { namespaces: ['goes'], pool: 'premium' });
      await expectRegistered('stays');
      await expectRegistered('goes');
      await register('of-api', 'of-api');
      await stop.disposeAsync();
      await cluster.deleteTenant('goes');
      await cluster.changeTenant('stays', { spec: { pool: 'standard' } });
      await restart();
      await expectGone('goes');
      await until(async () => (await find('stays'))?.pool === 'standard');
      expect(await find('of-api')).toMatchObject({ source: 'api' });
    });

    it.each([
      ['the list fails', { status: 500, body: '{}' }],
      ['the list is none', { status: 200, body: '{"kind":"Status","items":[],"metadata":{"resourceVersion":"1"}}' }],
      ['the list is cut short', { status: 200, body: '{"kind":"PrismTenantList","items":[' }],
      ['the kind is unknown', { status: 404, body: '404 page not found\n' }],
    ])('removes nothing while %s', async (_, substitute) => {
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await expectRegistered('acme');
      await stop.disposeAsync();
      const before = cluster.link.requests.length;
      cluster.link.answerNext(/limit=/, substitute, 5);
      await restart();
      await until(() => cluster.link.requests.slice(before).filter((each) => each.includes('limit=')).length > 5);
      await until(async () => (await reported())['state'] === 'following');
      expect(await find('acme')).toMatchObject({ version: 1 });
      expect(await store.actions.list({ limit: 10 })).toHaveLength(1);
    });

    it('removes nothing for one empty list', async () => {
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await expectRegistered('acme');
      await stop.disposeAsync();
      const empty = '{"kind":"PrismTenantList","items":[],"metadata":{"resourceVersion":"1"}}';
      cluster.link.answerNext(/limit=/, { status: 200, body: empty });
      await restart();
      await until(async () => (await reported())['state'] === 'following');
      expect(await find('acme')).toMatchObject({ version: 1 });
    });
  });

  describe('a refused resource', () => {
    it('is told that an API tenant has its id', async () => {
      await register('acme', 'acme');
      await start();
      await cluster.createTenant('acme', { namespaces: ['other'], pool: 'premium' });
      expect(await expectReason('acme', 'ManagedElsewhere')).toMatchObject({
        status: 'False',
        message: 'tenant "acme" is managed by api; change it there',
      });
      expect(await condition('acme', 'Routed')).toMatchObject({ status: 'False', reason: 'NotAccepted' });
      expect(await find('acme')).toMatchObject({ source: 'api', namespacePatterns: ['acme'] });
    });

    it('does not take the API tenant along when it is deleted', async () => {
      await register('acme', 'acme');
      await start();
      await cluster.createTenant('acme', { namespaces: ['other'], pool: 'premium' });
      await expectReason('acme', 'ManagedElsewhere');
      await cluster.deleteTenant('acme');
      await until(async () => (await reported())['resources'] === 0);
      expect(await find('acme')).toMatchObject({ source: 'api' });
    });

    it('is told whose namespaces it wants', async () => {
      await register('globex', 'acme-*');
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme-eu'], pool: 'premium' });
      expect(await expectReason('acme', 'NamespaceOverlap')).toMatchObject({
        message: '"acme-eu" overlaps with "acme-*" of tenant "globex"',
      });
    });

    it('is told which pools there are', async () => {
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'gold' });
      expect(await expectReason('acme', 'UnknownPool')).toMatchObject({
        message: 'pool: expected one of "dedicated", "premium", "standard", found "gold"',
      });
    });

    it('is told that it has to name a pool', async () => {
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme'] });
      await expectReason('acme', 'PoolRequired');
    });

    it('is told that there is but one tenant', async () => {
      await start({ deployment: { model: 'single_tenant', tenantId: parseTenantId('only') } });
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'standard' });
      await expectReason('acme', 'SingleTenant');
    });

    it('becomes a tenant once what stood in its way is gone', async () => {
      await register('globex', 'acme-*');
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme-eu'], pool: 'premium' });
      await expectReason('acme', 'NamespaceOverlap');
      await store.tenants.remove(parseTenantId('globex'), CHANGE, { source: 'api' });
      expect(await expectReason('acme', 'Accepted')).toMatchObject({ status: 'True' });
    });

    it('leaves the tenant as the last accepted generation says', async () => {
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await expectReason('acme', 'Accepted');
      await cluster.changeTenant('acme', { spec: { pool: 'gold' } });
      await expectReason('acme', 'UnknownPool');
      expect(await find('acme')).toMatchObject({ pool: 'premium', version: 1 });
      expect(await condition('acme', 'Routed')).toMatchObject({
        status: 'True',
        reason: 'EarlierGeneration',
        observedGeneration: 2,
      });
    });

    it('loses to the one who was there first', async () => {
      await cluster.createTenant('first', { namespaces: ['shared'], pool: 'premium' });
      // Times of Kubernetes are whole seconds.
      const createdAt = Date.now();
      await until(() => Date.now() - createdAt > 1000);
      await cluster.createTenant('a-later-one', { namespaces: ['shared'], pool: 'premium' });
      await start();
      await expectReason('a-later-one', 'NamespaceOverlap');
      await expectReason('first', 'Accepted');
    });

    it('is reported', async () => {
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'gold' });
      await until(async () => (await reported())['refused'] === 1);
      expect(await reported()).toMatchObject({
        state: 'following',
        resources: 1,
        refusals: [{ tenant: 'acme', reason: 'UnknownPool', message: expect.stringContaining('found "gold"') }],
      });
    });
  });

  describe('what no schema would let through', () => {
    const distorted = (spec: unknown) => async () => {
      cluster.link.distort = (object) => ({ ...object, spec });
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      return expectReason('acme', 'InvalidRequest');
    };
    it.each([
      ['no spec', undefined, 'spec: expected an object'],
      ['a list', [], 'spec: expected an object'],
      ['no namespaces', { pool: 'premium' }, /^spec\.namespaces: expected/],
      [
        'an empty list of namespaces',
        { namespaces: [] },
        'spec.namespaces: expected a value to contain at least 1 elements',
      ],
      ['numbers for namespaces', { namespaces: [1] }, 'spec.namespaces: expected a string'],
      ['an unknown level', { namespaces: ['a'], isolation_level: 'shared' }, /^spec\.isolation_level: expected one of/],
      [
        'a text for a number',
        { namespaces: ['a'], connection_pools: { redis: { max_connections: '5' } } },
        /^spec\.connection_pools\.redis\.max_connections: expected/,
      ],
      [
        'more than there is',
        { namespaces: ['a'], connection_pools: { redis: { connections_per_namespace: 5, max_total_connections: 2 } } },
        'connection_pools.redis.connections_per_namespace: expected at most 2, as many as there are in all',
      ],
    ])('is refused: %s', async (_, spec, message) => {
      expect(await distorted(spec)()).toMatchObject({
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      });
      expect(await find('acme')).toBeUndefined();
    });

    it.each([
      '*',
      'acme-*',
      'a?',
      'A',
      'a.b',
      'a:b',
      '..',
      '',
      'a'.repeat(64),
      'a\r\nb',
      'a\0b',
      'аcme',
      '{acme}',
      '"a"',
      '>',
    ])('is refused: the namespace %j', async (namespace) => {
      cluster.link.distort = (object) => ({ ...object, spec: { namespaces: [namespace], pool: 'premium' } });
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await expectReason('acme', 'InvalidIdentifier');
      expect(await find('acme')).toBeUndefined();
    });

    it.each(['a.b', 'Acme', '..', 'a/b', '__proto__', 'a'.repeat(64)])(
      'is refused: the name %j, beside which others become tenants',
      async (name) => {
        cluster.link.distort = (object) => {
          const metadata = object['metadata'] as JsonObject;
          return metadata['name'] === 'odd' ? { ...object, metadata: { ...metadata, name } } : object;
        };
        await cluster.createTenant('odd', { namespaces: ['odd'], pool: 'premium' });
        await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
        await start();
        await expectRegistered('acme');
        await until(async () => (await reported())['refused'] === 1);
        expect(await store.tenants.list({ limit: 10 })).toHaveLength(1);
      },
    );

    it('leaves out objects without a name, and tells how many', async () => {
      cluster.link.distort = (object) =>
        (object['metadata'] as JsonObject)['name'] === 'odd' ? { ...object, metadata: {} } : object;
      await cluster.createTenant('odd', { namespaces: ['odd'], pool: 'premium' });
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await start();
      await expectRegistered('acme');
      await until(async () => (await reported())['unreadable'] === 1);
      expect(await reported()).toMatchObject({ resources: 1, unreadable: 1 });
    });
  });

  describe('the status', () => {
    const writes = () => cluster.link.requests.filter((each) => STATUS_WRITES.test(each)).length;

    it('is not written again when nothing has changed', async () => {
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await expectReason('acme', 'Accepted');
      const before = writes();
      await restart();
      await cluster.changeTenant('acme', { metadata: { annotations: { note: 'nothing of ours' } } });
      await cluster.createTenant('globex', { namespaces: ['globex'], pool: 'premium' });
      await expectReason('globex', 'Accepted');
      expect(writes() - before).toBe(1);
    });

    it('keeps the time of a condition that stays as it is', async () => {
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      const { lastTransitionTime } = await expectReason('acme', 'Accepted');
      await until(() => Date.now() > Date.parse(String(lastTransitionTime)) + 1000);
      await cluster.changeTenant('acme', { spec: { pool: 'standard' } });
      expect(await expectReason('acme', 'Accepted')).toMatchObject({ lastTransitionTime, observedGeneration: 2 });
    });

    it('keeps conditions of others', async () => {
      const other = {
        type: 'Paid',
        status: 'Unknown',
        reason: 'NoInvoice',
        message: '',
        lastTransitionTime: '2026-11-20T08:30:00Z',
        observedGeneration: 1,
      };
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await cluster.changeTenantStatus('acme', { conditions: [other] });
      await start();
      await expectReason('acme', 'Accepted');
      expect((await cluster.getTenant('acme')).status?.conditions).toContainEqual(other);
    });

    it('is written although somebody changes the resource at the same time', async () => {
      await start();
      for (let change = 1; change <= 3; change++) {
        cluster.link.beforeNext(STATUS_WRITES, async () => {
          await cluster.changeTenant('acme', { metadata: { annotations: { change: String(change) } } });
        });
      }
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await expectReason('acme', 'Accepted');
      expect(writes()).toBeGreaterThanOrEqual(4);
    });

    it('is never that of an earlier generation', async () => {
      await start();
      cluster.link.beforeNext(STATUS_WRITES, async () => {
        await cluster.changeTenant('acme', { spec: { pool: 'gold' } });
      });
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      expect(await expectReason('acme', 'UnknownPool')).toMatchObject({ observedGeneration: 2, status: 'False' });
    });

    it('is written in the end when the API server refuses for a while, which keeps no tenant from the registry', async () => {
      await start();
      cluster.link.answerNext(STATUS_WRITES, { status: 403, body: '{"message":"forbidden: user"}' }, 2);
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await expectRegistered('acme');
      await until(async () => String((await reported())['status_error']).includes('403: forbidden: user'));
      await expectReason('acme', 'Accepted');
      await until(async () => (await reported())['status_error'] === undefined);
    });
  });

  describe('the registry', () => {
    it('gets back what it has lost', async () => {
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await expectRegistered('acme');
      await store.tenants.remove(parseTenantId('acme'), CHANGE, { source: 'kubernetes' });
      await expectRegistered('acme');
    });

    it('does not keep what comes back without a resource', async () => {
      await start();
      await until(async () => (await reported())['state'] === 'following');
      const draft = { namespacePatterns: [parseNamespacePattern('ghost')], pool: PREMIUM };
      await store.tenants.register(parseTenantId('ghost'), 'kubernetes', draft, CHANGE);
      await expectGone('ghost');
    });

    it('names Kubernetes as the actor', async () => {
      await start();
      await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await expectRegistered('acme');
      expect(await store.actions.list({ limit: 1 })).toMatchObject([{ userId: 'kubernetes', tenantId: 'acme' }]);
    });
  });
});
