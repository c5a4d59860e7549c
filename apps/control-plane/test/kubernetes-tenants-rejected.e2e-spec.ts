import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parseTenantId, type JsonObject } from '@palisade/domain';
import { PrismTenantsDuty } from '../src/kubernetes/tenants/prism-tenants.duty.js';
import { CHANGE, TenantsUnderTest } from './support/kubernetes/tenants-under-test.js';
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

  describe('a rejected resource', () => {
    it('is told that an API tenant has its id', async () => {
      await suite.register('acme', 'acme');
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['other'], pool: 'premium' });
      expect(await suite.untilReason('acme', 'ManagedElsewhere')).toMatchObject({
        status: 'False',
        message: 'tenant "acme" is managed by api; change it there',
      });
      expect(await suite.condition('acme', 'Routed')).toMatchObject({ status: 'False', reason: 'NotAccepted' });
      expect(await suite.find('acme')).toMatchObject({ source: 'api', namespacePatterns: ['acme'] });
    });

    it('does not take the API tenant along when it is deleted', async () => {
      await suite.register('acme', 'acme');
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['other'], pool: 'premium' });
      await suite.untilReason('acme', 'ManagedElsewhere');
      await suite.cluster.deleteTenant('acme');
      await suite.untilReported('resources', 0);
      expect(await suite.find('acme')).toMatchObject({ source: 'api' });
    });

    it('is told whose namespaces it wants', async () => {
      await suite.register('globex', 'acme-*');
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme-eu'], pool: 'premium' });
      expect(await suite.untilReason('acme', 'NamespaceOverlap')).toMatchObject({
        message: '"acme-eu" overlaps with "acme-*" of tenant "globex"',
      });
    });

    it('is told which pools there are', async () => {
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'gold' });
      expect(await suite.untilReason('acme', 'UnknownPool')).toMatchObject({
        message: 'pool: expected one of "dedicated", "premium", "standard", found "gold"',
      });
    });

    it('is told that it has to name a pool', async () => {
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme'] });
      expect(await suite.untilReason('acme', 'PoolRequired')).toMatchObject({
        message: expect.stringContaining('expected the name of a pool'),
      });
    });

    it('is told that there is but one tenant', async () => {
      await suite.start({ deployment: { model: 'single_tenant', tenantId: parseTenantId('only') } });
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'standard' });
      expect(await suite.untilReason('acme', 'SingleTenant')).toMatchObject({ status: 'False' });
    });

    it('becomes a tenant once what stood in its way is gone', async () => {
      await suite.register('globex', 'acme-*');
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme-eu'], pool: 'premium' });
      await suite.untilReason('acme', 'NamespaceOverlap');
      await suite.store.tenants.remove(parseTenantId('globex'), CHANGE, { source: 'api' });
      expect(await suite.untilReason('acme', 'Accepted')).toMatchObject({ status: 'True' });
    });

    it('leaves the tenant as the last accepted generation says', async () => {
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await suite.untilReason('acme', 'Accepted');
      await suite.cluster.changeTenant('acme', { spec: { pool: 'gold' } });
      await suite.untilReason('acme', 'UnknownPool');
      expect(await suite.find('acme')).toMatchObject({ pool: 'premium', version: 1 });
      expect(await suite.condition('acme', 'Routed')).toMatchObject({
        status: 'True',
        reason: 'EarlierGeneration',
        observedGeneration: 2,
      });
    });

    it('loses to the one who was there first', async () => {
      await suite.cluster.createTenant('first', { namespaces: ['shared'], pool: 'premium' });
      // Times of Kubernetes are whole seconds.
      const createdAt = Date.now();
      await until(() => Date.now() - createdAt > 1000);
      await suite.cluster.createTenant('a-later-one', { namespaces: ['shared'], pool: 'premium' });
      await suite.start();
      await suite.untilReason('a-later-one', 'NamespaceOverlap');
      await suite.untilReason('first', 'Accepted');
      expect(await suite.find('first')).toMatchObject({ namespacePatterns: ['shared'] });
    });

    it('is reported', async () => {
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'gold' });
      await suite.untilReported('rejected', 1);
      expect(await suite.reported()).toMatchObject({
        state: 'following',
        resources: 1,
        rejections: [{ tenant: 'acme', reason: 'UnknownPool', message: expect.stringContaining('found "gold"') }],
      });
    });
  });

  describe('what no schema would let through', () => {
    const distorted = (spec: unknown) => async () => {
      suite.cluster.link.distort = (object) => ({ ...object, spec });
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      return suite.untilReason('acme', 'InvalidRequest');
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
    ])('is rejected: %s', async (_, spec, message) => {
      expect(await distorted(spec)()).toMatchObject({
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      });
      expect(await suite.find('acme')).toBeUndefined();
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
    ])('is rejected: the namespace %j', async (namespace) => {
      suite.cluster.link.distort = (object) => ({ ...object, spec: { namespaces: [namespace], pool: 'premium' } });
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await suite.untilReason('acme', 'InvalidIdentifier');
      expect(await suite.find('acme')).toBeUndefined();
    });

    it.each(['a.b', 'Acme', '..', 'a/b', '__proto__', 'a'.repeat(64)])(
      'is rejected: the name %j, beside which others become tenants',
      async (name) => {
        suite.cluster.link.distort = (object) => {
          const metadata = object['metadata'] as JsonObject;
          return metadata['name'] === 'odd' ? { ...object, metadata: { ...metadata, name } } : object;
        };
        await suite.cluster.createTenant('odd', { namespaces: ['odd'], pool: 'premium' });
        await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
        await suite.start();
        await suite.untilRegistered('acme');
        await suite.untilReported('rejected', 1);
        expect(await suite.store.tenants.list({ limit: 10 })).toHaveLength(1);
      },
    );

    it('leaves out objects without a name, and tells how many', async () => {
      suite.cluster.link.distort = (object) =>
        (object['metadata'] as JsonObject)['name'] === 'odd' ? { ...object, metadata: {} } : object;
      await suite.cluster.createTenant('odd', { namespaces: ['odd'], pool: 'premium' });
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await suite.start();
      await suite.untilRegistered('acme');
      await suite.untilReported('unreadable', 1);
      expect(await suite.reported()).toMatchObject({ resources: 1, unreadable: 1 });
    });
  });
});
