import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MemoryStore, openStore } from '@palisade/storage';
import { createScratchDatabase, type ScratchDatabase } from '../../../libs/storage/test/scratch-database.js';
import { ADMIN_TOKEN, ControlApp, TWO_POOLS } from './support/control-app.js';
import { loadBalancerSection, prepareHaproxy, runWhenConfigured } from './support/administered-haproxy.js';
import type { BalancerUnderTest } from './support/load-balancer/balancer-under-test.js';
import { EchoProxy } from './support/load-balancer/proxies.js';
import { until } from '../../../test/support/until.js';

const TIME_LIMIT_MS = 180_000;
const POOLS = ['standard', 'premium'];
const ANY_HASH = expect.stringMatching(/^[0-9a-f]{64}$/);

/** HAProxy with one proxy for each pool, and what a configuration file has to say of them. */
class Site implements AsyncDisposable {
  private constructor(
    readonly haproxy: BalancerUnderTest,
    private readonly proxies: readonly EchoProxy[],
  ) {}

  static async prepare(): Promise<Site> {
    return new Site(await prepareHaproxy(), await Promise.all(POOLS.map((pool) => EchoProxy.start(pool))));
  }

  yaml(settings: object = {}): string {
    const section = { ...loadBalancerSection(this.haproxy.settings), ...settings };
    const proxies = this.proxies.map(({ id, port }) => ({ pool: id, endpoint: `127.0.0.1:${port}` }));
    return [
      TWO_POOLS,
      `load_balancer: ${JSON.stringify(section)}`,
      `service_discovery: ${JSON.stringify({ type: 'static', proxies })}`,
      'health_checks: { interval: 200ms, timeout: 200ms }',
    ].join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.haproxy[Symbol.asyncDispose]();
    await Promise.all(this.proxies.map((proxy) => proxy[Symbol.asyncDispose]()));
  }
}

/** A store that outlives the application, as a server's does. */
class LastingStore extends MemoryStore {
  override async close(): Promise<number> {
    return 0;
  }
}

/** Resolves when namespaces of both pools get to their proxies. */
async function untilRouted(app: ControlApp, haproxy: BalancerUnderTest): Promise<void> {
  await app.register('acme', { namespace_pattern: 'acme', pool: 'standard' });
  await app.register('globex', { namespace_pattern: 'globex', pool: 'premium' });
  await until(async () => (await haproxy.routeOf('acme')) === 'standard');
  await until(async () => (await haproxy.routeOf('globex')) === 'premium');
}

const reload = (app: ControlApp, token?: string) => app.api('post', '/loadbalancer/reload', token);

describe('the load balancer by its API', () => {
  let site: Site;
  let app: ControlApp;

  beforeAll(async () => {
    site = await Site.prepare();
    app = await ControlApp.start({ yaml: site.yaml(), mayLead: true });
    await runWhenConfigured(site.haproxy);
    await untilRouted(app, site.haproxy);
  }, TIME_LIMIT_MS);

  afterAll(async () => {
    await app.close();
    await site[Symbol.asyncDispose]();
  });

  it('is reloaded, and tells what was loaded and on whose behalf', async () => {
    const { body } = await reload(
      app,
      await app.issuer.sign({ namespaces: '*', scope: 'operate', email: 'bob@example.com' }),
    );
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      version: 2,
      hash: ANY_HASH,
      type: 'haproxy',
      epoch: expect.any(Number),
      changed: expect.any(Boolean),
      method: 'reload',
      result: expect.stringMatching(/^(applied|unchanged)$/),
      actor: 'bob@example.com',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      duration_ms: expect.any(Number),
    });
    expect(await site.haproxy.routeOf('acme')).toBe('standard');
  });

  it('has the same hash when nothing has changed, another when something has', async () => {
    const [first, second] = [await reload(app).expect(200), await reload(app).expect(200)];
    expect(second.body).toMatchObject({ changed: false, method: 'reload', result: 'unchanged' });
    expect(second.body.hash).toBe(first.body.hash);
    expect(second.body.id > first.body.id).toBe(true);
    await app.register('initech', { namespace_pattern: 'initech-*', pool: 'premium' });
    const third = await reload(app).expect(200);
    expect(third.body).toMatchObject({ version: 3, hash: ANY_HASH });
    expect(third.body.hash).not.toBe(first.body.hash);
    expect(await site.haproxy.routeOf('initech-eu')).toBe('premium');
  });

  it('is reloaded by operators only', async () => {
    const readers = { namespaces: '*', scope: 'read', email: 'eve@example.com' };
    await reload(app, await app.issuer.sign(readers)).expect(403);
    await reload(app, await app.adminOf(['acme'])).expect(403);
    await app.request('post', '/api/v1/loadbalancer/reload').expect(401);
  });

  it('records every reload in the chain of actions', async () => {
    const { body } = await reload(app).expect(200);
    const actions = (await app.records()).filter(({ action }) => action === 'loadbalancer.apply');
    expect(actions.at(-1)).toMatchObject({
      userId: 'admin',
      result: 'success',
      resource: 'loadbalancer:haproxy',
      detail: { id: body.id, hash: body.hash, epoch: body.epoch, method: 'reload', outcome: body.result },
    });
  });

  it('shows that there is nothing to change once a change is there', async () => {
    await app.register('hooli', { namespace_pattern: 'hooli', pool: 'premium' });
    await until(async () => (await site.haproxy.routeOf('hooli')) === 'premium');
    const { body } = await app.api('get', '/loadbalancer/preview').expect(200);
    expect(body).toMatchObject({ method: 'none', hash: ANY_HASH });
    expect(body.files.map(({ change }: { change: string }) => change)).toEqual(body.files.map(() => 'none'));
  });

  it('lists every version once, newest first, page by page', async () => {
    await reload(app).expect(200);
    const ids: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: { body: { items: { id: string }[]; next_cursor?: string } } = await app
        .api('get', `/loadbalancer/versions?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
        .expect(200);
      expect(page.body.items.length).toBeLessThanOrEqual(2);
      ids.push(...page.body.items.map(({ id }) => id));
      cursor = page.body.next_cursor;
    }
    const { body } = await app.api('get', '/loadbalancer/versions?limit=1000').expect(200);
    expect(ids.length).toBeGreaterThan(2);
    expect(ids).toEqual(body.items.map(({ id }: { id: string }) => id));
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
    await app.api('get', '/loadbalancer/versions?cursor=bogus').expect(400);
  });

  it('has a status with the last version and the last search for drift', async () => {
    const { body: version } = await reload(app).expect(200);
    const { body } = await app.api('get', '/loadbalancer/status').expect(200);
    expect(body).toMatchObject({ type: 'haproxy', busy: false, last_version: { id: version.id }, unresolved: [] });
  });

  it('is repaired by a reload when somebody has changed what runs', async () => {
    const map = site.haproxy.settings.configPath.replace('.cfg', '.namespaces.map');
    await site.haproxy.ask(`del map ${map} /acme.`);
    expect(await site.haproxy.routeOf('acme')).toBe(404);
    await reload(app).expect(200);
    expect(await site.haproxy.routeOf('acme')).toBe('standard');
  });
});

describe('a control plane without a load balancer', () => {
  it.each([
    ['post', 'reload'],
    ['get', 'preview'],
    ['get', 'versions'],
    ['get', 'status'],
  ] as const)('answers %s %s with LOAD_BALANCER_NOT_CONFIGURED', async (method, name) => {
    const app = await ControlApp.start();
    const { body } = await app.api(method, `/loadbalancer/${name}`).expect(409);
    expect(body.code).toBe('LOAD_BALANCER_NOT_CONFIGURED');
    await app.close();
  });
});

describe('a configuration that HAProxy does not take', () => {
  it(
    'is not loaded; the API says why, and requests go where they went',
    async () => {
      await using site = await Site.prepare();
      const store = new LastingStore();
      const before = await ControlApp.start({ yaml: site.yaml(), store, mayLead: true });
      await runWhenConfigured(site.haproxy);
      await untilRouted(before, site.haproxy);
      const { body: served } = await reload(before).expect(200);
      await before.close();
      const certificate_file = join(site.haproxy.directory, 'no-certificate.pem');
      await writeFile(certificate_file, 'this is no PEM\n');

      const after = await ControlApp.start({ yaml: site.yaml({ certificate_file }), store, mayLead: true });
      const { body } = await reload(after).expect(502);
      expect(body).toMatchObject({
        code: 'LOAD_BALANCER_REJECTED',
        detail: expect.stringContaining('no-certificate.pem'),
      });
      expect(await site.haproxy.routeOf('acme')).toBe('standard');
      const { body: versions } = await after.api('get', '/loadbalancer/versions?limit=1').expect(200);
      expect(versions.items).toMatchObject([{ result: 'rejected', changed: false, actor: 'admin' }]);
      expect(versions.items[0].reason).toContain('no-certificate.pem');
      const { body: preview } = await after.api('get', '/loadbalancer/preview').expect(200);
      expect(preview).toMatchObject({ method: 'reload' });
      expect(preview.hash).not.toBe(served.hash);
      await after.close();
    },
    TIME_LIMIT_MS,
  );
});

describe('replicas on one PostgreSQL', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  it(
    'pass a reload on to the one that leads, and its report to the others',
    async () => {
      await using site = await Site.prepare();
      const leader = await ControlApp.start({ yaml: site.yaml(), store: await openStore(database.url), mayLead: true });
      const other = await ControlApp.start({ yaml: site.yaml(), store: await openStore(database.url) });
      await runWhenConfigured(site.haproxy);
      await untilRouted(other, site.haproxy);

      const { body: version } = await reload(other, await other.adminOf(['*'], { namespaces: '*' })).expect(200);
      expect(version).toMatchObject({ method: 'reload', actor: 'ann@example.com' });
      const [ofOther, ofLeader] = await Promise.all(
        [other, leader].map((app) => app.api('get', '/loadbalancer/status').expect(200)),
      );
      expect(ofOther?.body.last_version).toEqual(version);
      expect(ofLeader?.body.last_version).toEqual(version);
      expect((await other.api('get', '/status').expect(200)).body).toMatchObject({ is_leader: false, leader: {} });

      const preview = await other.api('get', '/loadbalancer/preview').expect(503);
      expect(preview.body.code).toBe('LEADER_UNAVAILABLE');

      await leader.close();
      const rejected = await reload(other).expect(503);
      expect(rejected.body.code).toBe('LEADER_UNAVAILABLE');
      expect(rejected.headers['retry-after']).toBe('2');
      expect(await site.haproxy.routeOf('globex')).toBe('premium');
      await other.close();
    },
    TIME_LIMIT_MS,
  );

  it('answers several reloads that were asked for at once with as few reloads as it can', async () => {
    await using site = await Site.prepare();
    const app = await ControlApp.start({ yaml: site.yaml(), mayLead: true });
    await runWhenConfigured(site.haproxy);
    const answers = await Promise.all(Array.from({ length: 20 }, () => reload(app, ADMIN_TOKEN)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBeLessThan(20);
    await app.close();
  });
});
