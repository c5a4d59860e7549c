import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PrismTenantsDuty } from '../src/kubernetes/tenants/prism-tenants.duty.js';
import { TenantsUnderTest } from './support/kubernetes/tenants-under-test.js';
import { until } from '../../../test/support/until.js';

const STATUS_WRITES = /^PATCH .*\/status/;

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

  describe('the status', () => {
    const writes = (name = '') =>
      suite.cluster.link.requests.filter((each) => STATUS_WRITES.test(each) && each.includes(`/${name}`)).length;

    it('is not written again when nothing has changed', async () => {
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await suite.untilReason('acme', 'Accepted');
      const before = writes('acme');
      await suite.stop();
      await suite.start();
      await suite.cluster.changeTenant('acme', { metadata: { annotations: { note: 'nothing of ours' } } });
      await suite.cluster.createTenant('globex', { namespaces: ['globex'], pool: 'premium' });
      await suite.untilReason('globex', 'Accepted');
      expect(writes('acme') - before).toBe(0);
    });

    it('keeps the time of a condition that stays as it is', async () => {
      await suite.start();
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      const { lastTransitionTime } = await suite.untilReason('acme', 'Accepted');
      await until(() => Date.now() > Date.parse(String(lastTransitionTime)) + 1000);
      await suite.cluster.changeTenant('acme', { spec: { pool: 'standard' } });
      expect(await suite.untilReason('acme', 'Accepted')).toMatchObject({ lastTransitionTime, observedGeneration: 2 });
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
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await suite.cluster.changeTenantStatus('acme', { conditions: [other] });
      await suite.start();
      await suite.untilReason('acme', 'Accepted');
      expect((await suite.cluster.getTenant('acme')).status?.conditions).toContainEqual(other);
    });

    it('is written although somebody changes the resource at the same time', async () => {
      await suite.start();
      for (let change = 1; change <= 3; change++) {
        suite.cluster.link.beforeNext(STATUS_WRITES, async () => {
          await suite.cluster.changeTenant('acme', { metadata: { annotations: { change: String(change) } } });
        });
      }
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await suite.untilReason('acme', 'Accepted');
      expect(writes()).toBeGreaterThanOrEqual(4);
    });

    it('is never that of an earlier generation', async () => {
      await suite.start();
      suite.cluster.link.beforeNext(STATUS_WRITES, async () => {
        await suite.cluster.changeTenant('acme', { spec: { pool: 'gold' } });
      });
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      expect(await suite.untilReason('acme', 'UnknownPool')).toMatchObject({ observedGeneration: 2, status: 'False' });
    });

    it('is written in the end when the API server rejects for a while, which keeps no tenant from the registry', async () => {
      await suite.start();
      suite.cluster.link.answerNext(STATUS_WRITES, { status: 403, body: '{"message":"forbidden: user"}' }, 2);
      await suite.cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
      await suite.untilRegistered('acme');
      await until(async () => String((await suite.reported())['status_error']).includes('403: forbidden: user'));
      await suite.untilReason('acme', 'Accepted');
      await suite.untilReported('status_error', undefined);
      expect(await suite.condition('acme', 'Routed')).toMatchObject({ status: 'True' });
    });
  });
});
