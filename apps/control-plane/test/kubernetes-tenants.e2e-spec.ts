import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { StoreUnavailableError, parseNamespacePattern, parseTenantId, type TenantStore } from '@palisade/domain';
import { PrismTenantsDuty } from '../src/kubernetes/tenants/prism-tenants.duty.js';
import { CHANGE, TenantsUnderTest } from './support/kubernetes/tenants-under-test.js';
import { PREMIUM, STANDARD } from './support/routing-settings.js';
import { until } from '../../../test/support/until.js';

describe(PrismTenantsDuty.name, () => {
  let suite: TenantsUnderTest;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    suite = await TenantsUnderTest.create();
  });
  afterAll(async () => {
    await suite[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    await suite.reset();
  });

  describe('a resource', () => {
    it('becomes a tenant', async () => {
      await suite.start();
      await suite.cluster.createTenant('acme', {
        namespaces: ['acme', 'acme-eu'],
        pool: 'premium',
        isolation_level: 'session',
        tier: 'premium',
        annual_revenue: 25_000.5,
        connection_pools: { redis: { max_connections: 20, per_session_limit: 2 } },
      });
      await suite.untilRegistered('acme');
      expect(await suite.find('acme')).toMatchObject({
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
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme', 'acme-eu'], pool: 'premium' });
      await suite.untilReason('acme', 'Accepted');
      expect((await suite.cluster.getTenant('acme')).status).toEqual({
        observedGeneration: 1,
        namespace_count: 2,
        pools: ['premium'],
        isolation_level: 'namespace',
        conditions: [
          {
            type: 'Accepted',
            status: 'True',
            reason: 'Accepted',
            message: 'the registry has accepted the tenant',
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
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await suite.untilRegistered('acme');
      await suite.cluster.changeTenant('acme', { spec: { namespaces: ['acme', 'acme-us'], pool: 'standard' } });
      await until(async () => (await suite.find('acme'))?.pool === 'standard');
      expect(await suite.find('acme')).toMatchObject({
        version: 2,
        namespacePatterns: ['acme', 'acme-us'],
        draining: { pool: 'premium' },
      });
      await until(async () => (await suite.cluster.getTenant('acme')).status?.observedGeneration === 2);
    });

    it('takes the tenant along when it is deleted', async () => {
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await suite.untilRegistered('acme');
      await suite.cluster.deleteTenant('acme');
      await suite.untilGone('acme');
      expect(await suite.store.tenants.list({ limit: 10 })).toEqual([]);
    });

    it('gets a pool from rules when it names none', async () => {
      await suite.start({ defaultPool: STANDARD });
      await suite.cluster.createTenant('acme', { namespaces: ['acme'] });
      await suite.untilReason('acme', 'Accepted');
      expect((await suite.cluster.getTenant('acme')).status?.pools).toEqual(['standard']);
    });
  });

  describe('what was done while nobody looked', () => {
    it('is caught up with at the start', async () => {
      await suite.start();
      await suite.cluster.createTenant('stays', { namespaces: ['stays'], pool: 'premium' });
      await suite.cluster.createTenant('goes', { namespaces: ['goes'], pool: 'premium' });
      await suite.untilRegistered('stays');
      await suite.untilRegistered('goes');
      await suite.register('of-api', 'of-api');
      await suite.stop();
      await suite.cluster.deleteTenant('goes');
      await suite.cluster.changeTenant('stays', { spec: { pool: 'standard' } });
      await suite.start();
      await suite.untilGone('goes');
      await until(async () => (await suite.find('stays'))?.pool === 'standard');
      expect(await suite.find('of-api')).toMatchObject({ source: 'api' });
    });

    it.each([
      ['the list fails', { status: 500, body: '{}' }],
      ['the list is none', { status: 200, body: '{"kind":"Status","items":[],"metadata":{"resourceVersion":"1"}}' }],
      ['the list is cut short', { status: 200, body: '{"kind":"PrismTenantList","items":[' }],
      ['the kind is unknown', { status: 404, body: '404 page not found\n' }],
    ])('removes nothing while %s', async (_, substitute) => {
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await suite.untilRegistered('acme');
      await suite.stop();
      const before = suite.cluster.link.requests.length;
      suite.cluster.link.answerNext(/limit=/, substitute, 5);
      await suite.start();
      await until(() => suite.cluster.link.requests.slice(before).filter((each) => each.includes('limit=')).length > 5);
      await suite.untilReported('state', 'following');
      expect(await suite.find('acme')).toMatchObject({ version: 1 });
      await suite.store.log.seal();
      expect(await suite.store.log.list({ limit: 10 })).toHaveLength(1);
    });

    it('removes nothing for one empty list', async () => {
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await suite.untilRegistered('acme');
      await suite.stop();
      const empty = '{"kind":"PrismTenantList","items":[],"metadata":{"resourceVersion":"1"}}';
      suite.cluster.link.answerNext(/limit=/, { status: 200, body: empty });
      await suite.start();
      await suite.untilReported('state', 'following');
      expect(await suite.find('acme')).toMatchObject({ version: 1 });
    });
  });

  describe('the registry', () => {
    it('gets back what it has lost', async () => {
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await suite.untilRegistered('acme');
      await suite.store.tenants.remove(parseTenantId('acme'), CHANGE, { source: 'kubernetes' });
      await suite.untilRegistered('acme');
      expect(await suite.find('acme')).toMatchObject({ source: 'kubernetes', pool: 'premium' });
    });

    it('gets what it could not take while the store was away', async () => {
      const { tenants } = suite.store;
      const register = jest.spyOn(tenants as TenantStore, 'register');
      register.mockRejectedValueOnce(new StoreUnavailableError(1)).mockRejectedValueOnce(new StoreUnavailableError(1));
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await suite.cluster.createTenant('globex', { namespaces: ['globex'], pool: 'premium' });
      await suite.untilReason('acme', 'Accepted');
      await suite.untilReason('globex', 'Accepted');
      expect(register).toHaveBeenCalledTimes(4);
    });

    it('does not keep what comes back without a resource', async () => {
      await suite.start();
      await suite.untilReported('state', 'following');
      const draft = { namespacePatterns: [parseNamespacePattern('ghost')], pool: PREMIUM };
      await suite.store.tenants.register(parseTenantId('ghost'), 'kubernetes', draft, CHANGE);
      await suite.untilGone('ghost');
      expect(await suite.store.tenants.list({ limit: 10 })).toEqual([]);
    });

    it('names Kubernetes as the actor', async () => {
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await suite.untilRegistered('acme');
      await suite.store.log.seal();
      expect(await suite.store.log.list({ limit: 1 })).toMatchObject([{ userId: 'kubernetes', tenantId: 'acme' }]);
    });
  });
});
