import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { KubernetesApi } from '../src/kubernetes/api/kubernetes-api.js';
import { readMetadata } from '../src/kubernetes/api/objects.js';
import { readPrismTenant, type PrismTenant, type PrismTenantStatus } from '../src/kubernetes/tenants/prism-tenant.js';
import { TenantStatusWriter } from '../src/kubernetes/tenants/tenant-status-writer.js';
import { TestCluster } from './support/kubernetes/test-cluster.js';

const WRITES = /^PATCH .*\/status/;

function condition(type: string) {
  const lastTransitionTime = '2026-11-20T08:30:00Z';
  return { type, status: 'True', reason: 'Because', message: '', lastTransitionTime, observedGeneration: 1 } as const;
}

/** Says that it is accepted, and leaves what else is said. */
function accepted({ generation, status }: PrismTenant): PrismTenantStatus {
  const others = status.conditions.filter(({ type }) => type !== 'Accepted');
  return { ...status, observedGeneration: generation, conditions: [...others, condition('Accepted')] };
}

describe(TenantStatusWriter.name, () => {
  let cluster: TestCluster;
  let api: KubernetesApi;
  let writer: TenantStatusWriter;
  beforeAll(async () => {
    cluster = await TestCluster.start();
    api = cluster.connect();
    writer = new TenantStatusWriter(api, cluster.namespace);
  });
  afterAll(async () => {
    api.close();
    await cluster[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
  });
  afterEach(async () => {
    cluster.link.clear();
    await cluster.empty();
  });

  async function read(): Promise<PrismTenant> {
    const object = await cluster.getTenant('acme');
    const metadata = readMetadata(object);
    if (metadata === undefined) {
      throw new TypeError('the API server gave no object');
    }
    return readPrismTenant(metadata, object);
  }
  const write = (resource: PrismTenant) => writer.write(resource, accepted, new AbortController().signal);
  const typesOf = async () => (await read()).status.conditions.map(({ type }) => type);
  const writes = () => cluster.link.requests.filter((each) => WRITES.test(each)).length;

  it('writes once', async () => {
    const before = writes();
    expect(await write(await read())).toBe(true);
    expect(await write(await read())).toBe(false);
    expect([await typesOf(), writes() - before]).toEqual([['Accepted'], 1]);
  });

  it('keeps what somebody else has written since the resource was read', async () => {
    const seen = await read();
    await cluster.changeTenantStatus('acme', { conditions: [condition('Paid')] });
    expect(await write(seen)).toBe(true);
    expect(await typesOf()).toEqual(['Paid', 'Accepted']);
  });

  it('begins anew as often as somebody is quicker', async () => {
    const seen = await read();
    for (const type of ['First', 'Second', 'Third']) {
      cluster.link.beforeNext(WRITES, async () => {
        const { conditions } = (await read()).status;
        await cluster.changeTenantStatus('acme', { conditions: [...conditions, condition(type)] });
      });
    }
    expect(await write(seen)).toBe(true);
    expect(await typesOf()).toEqual(['First', 'Second', 'Third', 'Accepted']);
  });

  it('says nothing of a spec that it has not seen', async () => {
    const seen = await read();
    await cluster.changeTenant('acme', { spec: { pool: 'standard' } });
    expect(await write(seen)).toBe(false);
    expect(await typesOf()).toEqual([]);
  });

  it('says nothing of another resource of that name', async () => {
    const seen = await read();
    await cluster.deleteTenant('acme');
    await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
    expect(await write(seen)).toBe(false);
    expect(await typesOf()).toEqual([]);
  });

  it('says nothing of a resource that is gone', async () => {
    const seen = await read();
    await cluster.deleteTenant('acme');
    expect(await write(seen)).toBe(false);
  });

  it('gives up when somebody is always quicker', async () => {
    cluster.link.answerNext(WRITES, { status: 409, body: '{"message":"conflict"}' }, 100);
    await expect(write(await read())).rejects.toMatchObject({ status: 409 });
  });

  it('tells of a refusal', async () => {
    cluster.link.answerNext(WRITES, { status: 422, body: '{"message":"invalid"}' });
    await expect(write(await read())).rejects.toMatchObject({ status: 422 });
  });

  it('takes away what there is no more to say', async () => {
    const value = (resource: PrismTenant, level: string | null) => ({ ...accepted(resource), isolation_level: level });
    const { signal } = new AbortController();
    await writer.write(await read(), (resource) => value(resource, 'session'), signal);
    expect((await read()).status.isolation_level).toBe('session');
    await writer.write(await read(), (resource) => value(resource, null), signal);
    expect((await cluster.getTenant('acme')).status).not.toHaveProperty('isolation_level');
  });
});
