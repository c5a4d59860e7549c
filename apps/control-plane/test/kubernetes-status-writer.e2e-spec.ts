import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { KubernetesApi } from '../src/kubernetes/api/kubernetes-api.js';
import { readMetadata } from '../src/kubernetes/api/objects.js';
import { readPrismTenant, type PrismTenant, type PrismTenantStatus } from '../src/kubernetes/tenants/prism-tenant.js';
import { writeStatus } from '../src/kubernetes/tenants/tenant-statuses.js';
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

describe(writeStatus.name, () => {
  let cluster: TestCluster;
  let api: KubernetesApi;
  beforeAll(async () => {
    cluster = await TestCluster.start();
    api = cluster.connect();
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
  const write = (resource: PrismTenant, status = accepted(resource)) =>
    writeStatus(api, cluster.namespace, resource, status, new AbortController().signal);
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
    expect([await write(seen), await write(await read())]).toEqual([false, true]);
    expect(await typesOf()).toEqual(['Paid', 'Accepted']);
  });

  it('skips a resource that somebody changes at the same time', async () => {
    cluster.link.beforeNext(WRITES, async () => {
      await cluster.changeTenantStatus('acme', { conditions: [condition('First')] });
    });
    expect([await write(await read()), await write(await read())]).toEqual([false, true]);
    expect(await typesOf()).toEqual(['First', 'Accepted']);
  });

  it('writes nothing into a spec that it has not seen', async () => {
    const seen = await read();
    await cluster.changeTenant('acme', { spec: { pool: 'standard' } });
    expect(await write(seen)).toBe(false);
    expect(await typesOf()).toEqual([]);
  });

  it('writes nothing into another resource of that name', async () => {
    const seen = await read();
    await cluster.deleteTenant('acme');
    await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
    expect(await write(seen)).toBe(false);
    expect(await typesOf()).toEqual([]);
  });

  it('writes nothing into a resource that is gone', async () => {
    const seen = await read();
    await cluster.deleteTenant('acme');
    expect(await write(seen)).toBe(false);
  });

  it('reports that the API server rejects it', async () => {
    cluster.link.answerNext(WRITES, { status: 422, body: '{"message":"invalid"}' });
    await expect(write(await read())).rejects.toMatchObject({ status: 422 });
  });

  it('removes a value that no longer holds', async () => {
    const value = (resource: PrismTenant, level: string | null) => ({ ...accepted(resource), isolation_level: level });
    const seen = await read();
    await write(seen, value(seen, 'session'));
    expect((await read()).status.isolation_level).toBe('session');
    const written = await read();
    await write(written, value(written, null));
    expect((await cluster.getTenant('acme')).status).not.toHaveProperty('isolation_level');
  });
});
