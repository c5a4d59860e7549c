import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openStore } from '@palisade/storage';
import { createScratchDatabase, type ScratchDatabase } from '../../../libs/storage/test/scratch-database.js';
import { ControlApp } from './support/control-app.js';
import { TestCluster } from './support/kubernetes/test-cluster.js';
import { until } from '../../../test/support/until.js';

const LEASE = 'palisade-control-plane';

interface LeaseObject {
  readonly spec: { readonly holderIdentity: string; readonly leaseTransitions: number };
}

interface Pool {
  readonly name: string;
  readonly proxies: readonly { readonly id: string; readonly source: string; readonly host: string }[];
}

/** A replica that is closed once, by its test or after it. */
class Replica implements AsyncDisposable {
  private closing: Promise<void> | undefined;

  private constructor(readonly app: ControlApp) {}

  /** With a connection pool of its own, which it closes: replicas share only the database and the cluster. */
  static async start(database: ScratchDatabase, cluster: TestCluster): Promise<Replica> {
    const yaml = `
proxy_pools:
  standard: { replicas: 2, isolation_level: namespace }
  premium: { replicas: 3, isolation_level: session }
service_discovery: { type: kubernetes, label_selector: "app=proxy" }
kubernetes:
  namespace: ${cluster.namespace}
  kubeconfig_file: ${cluster.kubeconfigFile}
  leader_election: true
`;
    return new Replica(await ControlApp.start({ yaml, mayLead: true, store: await openStore(database.url) }));
  }

  async isLeader(): Promise<boolean> {
    return (await this.app.api('get', '/status').expect(200)).body.is_leader;
  }

  /** The pool that requests of the namespace go to; undefined when no tenant has it. */
  async routeOf(namespace: string): Promise<string | undefined> {
    const { body } = await this.app.api('post', '/routing/explain').send({ namespace }).expect(200);
    return body.route?.pool;
  }

  async proxiesOf(pool: string): Promise<Pool['proxies']> {
    const { body } = await this.app.api('get', '/pools').expect(200);
    return (body.items as readonly Pool[]).find(({ name }) => name === pool)?.proxies ?? [];
  }

  close(): Promise<void> {
    this.closing ??= this.app.close();
    return this.closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

describe('a control plane in Kubernetes', () => {
  let database: ScratchDatabase;
  let cluster: TestCluster;
  let replicas: AsyncDisposableStack;

  beforeAll(async () => {
    database = await createScratchDatabase();
    cluster = await TestCluster.start();
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    await database.drop();
  });
  beforeEach(() => {
    replicas = new AsyncDisposableStack();
  });
  afterEach(async () => {
    await replicas.disposeAsync();
    await cluster.empty();
  });

  async function start(): Promise<Replica> {
    return replicas.use(await Replica.start(database, cluster));
  }

  async function lease(): Promise<LeaseObject['spec']> {
    return ((await cluster.getLease(LEASE)) as unknown as LeaseObject).spec;
  }

  it('routes the tenants that PrismTenant resources say, until they are deleted', async () => {
    const replica = await start();
    await cluster.createTenant('acme', { namespaces: ['acme-eu'], pool: 'premium' });
    await until(async () => (await replica.routeOf('acme-eu')) === 'premium');
    await cluster.changeTenant('acme', { spec: { pool: 'standard' } });
    await until(async () => (await replica.routeOf('acme-eu')) === 'standard');
    await cluster.deleteTenant('acme');
    await until(async () => (await replica.routeOf('acme-eu')) === undefined);
    expect((await replica.app.api('get', '/tenants/acme')).status).toBe(404);
  });

  it('has the proxies that ready pods are, until they are gone', async () => {
    const replica = await start();
    await cluster.createPod('standard-1', { ip: '10.1.0.1' });
    await cluster.createPod('premium-1', { ip: '10.1.0.2', labels: { 'prism.io/pool': 'premium' } });
    await until(async () => (await replica.proxiesOf('premium')).length === 1);
    expect(await replica.proxiesOf('premium')).toMatchObject([
      { id: 'premium-1', host: '10.1.0.2', source: 'kubernetes' },
    ]);
    await until(async () => (await replica.proxiesOf('standard')).length === 1);
    await cluster.deletePod('premium-1');
    await until(async () => (await replica.proxiesOf('premium')).length === 0);
  });

  it('answers on every replica, of which one leads: the one that has the Lease', async () => {
    const [one, other] = [await start(), await start()];
    await until(async () => (await one.isLeader()) || (await other.isLeader()));
    await cluster.createTenant('acme', { namespaces: ['acme'], pool: 'premium' });
    for (const replica of [one, other]) {
      await until(async () => (await replica.routeOf('acme')) === 'premium');
    }
    expect([await one.isLeader(), await other.isLeader()].toSorted()).toEqual([false, true]);
    const { body } = await other.app.api('get', '/status').expect(200);
    expect((await lease()).holderIdentity).toBe(body.leader.holder);
  });

  it('gives its Lease up when it is closed, so that another replica leads and goes on', async () => {
    const first = await start();
    await until(() => first.isLeader());
    const before = await lease();
    const second = await start();
    await first.close();
    await until(() => second.isLeader());
    const after = await lease();
    expect(after.holderIdentity).not.toBe(before.holderIdentity);
    expect(after.leaseTransitions).toBeGreaterThan(before.leaseTransitions);
    await cluster.createTenant('later', { namespaces: ['later'], pool: 'standard' });
    await until(async () => (await second.routeOf('later')) === 'standard');
  });

  it('leaves nobody in the Lease and no watch open when the last one is closed', async () => {
    const replica = await start();
    await until(() => replica.isLeader());
    await until(() => cluster.link.openWatches === 2);
    await replica.close();
    expect((await lease()).holderIdentity).toBe('');
    await until(() => cluster.link.openWatches === 0);
  });

  it('can be closed while the API server is away; its Lease then runs out by itself', async () => {
    const replica = await start();
    await until(() => replica.isLeader());
    const { holderIdentity } = await lease();
    await cluster.link.down();
    await replica.close();
    await cluster.link.up();
    expect((await lease()).holderIdentity).toBe(holderIdentity);
  });
});
