import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  DEFAULT_PROVIDER_SETTINGS,
  formatResourceId,
  parsePoolName,
  parseProviderId,
  parseProxyId,
} from '@palisade/domain';
import { digestSecret } from '@palisade/guards';
import { draftOf } from '../../../libs/storage/test/support/drafts.js';
import { ControlApp } from './support/control-app.js';
import { PolicyStreamReader } from './support/policy-stream-reader.js';

const YAML = `
deployment: { model: hybrid }
proxy_pools:
  standard: { replicas: 2, isolation_level: namespace }
  premium: { replicas: 3, isolation_level: namespace }
connection_pools:
  redis: { connections_per_namespace: 10, max_total_connections: 200 }
resource_limits:
  per_namespace: { max_rps: 100 }
drain_timeout: 1s
`;
const EU_TOKEN = 'token-of-the-proxies-in-europe';
const US_TOKEN = 'token-of-the-proxies-in-the-us';
const DIGESTS = [
  { name: 'eu', digest: digestSecret(EU_TOKEN), pool: parsePoolName('standard'), idPrefix: 'eu-' },
  { name: 'us', digest: digestSecret(US_TOKEN), pool: parsePoolName('premium'), idPrefix: 'us-' },
];

describe('GET /api/v1/proxies/{id}/policy', () => {
  let app: ControlApp;
  const readers: PolicyStreamReader[] = [];

  beforeEach(async () => {
    app = await ControlApp.start({ yaml: YAML, config: { proxyTokenDigests: DIGESTS } });
  });
  afterEach(async () => {
    readers.splice(0).forEach((reader) => reader.close());
    await app.close();
  });

  async function open(...parameters: Parameters<typeof PolicyStreamReader.open>): Promise<PolicyStreamReader> {
    const reader = await PolicyStreamReader.open(...parameters);
    readers.push(reader);
    return reader;
  }

  const registerProxy = (id: string, pool: string, token: string) =>
    app.api('post', '/proxies', token).send({ id, pool, host: '10.0.0.7', port: 8080 });
  const put = (id: string, body: object) => app.api('put', `/tenants/${id}`).send(body).expect(200);

  async function openEu(after?: string): Promise<PolicyStreamReader> {
    await registerProxy('eu-1', 'standard', EU_TOKEN);
    return open(app, 'eu-1', { token: EU_TOKEN, after });
  }

  it('begins with all that the pool has to enforce', async () => {
    await app.register('acme', { namespace_pattern: 'acme-*', pool: 'standard', isolation_level: 'session' });
    await app.register('other', { namespace_pattern: 'other', pool: 'premium' });
    const { event, id, data } = await (await openEu()).take();
    expect({ event, data }).toEqual({
      event: 'policy',
      data: {
        revision: 2,
        configuration: expect.stringMatching(/^[0-9a-f]{64}$/),
        pool: 'standard',
        settings: {
          isolation_level: 'namespace',
          connection_pools: expect.objectContaining({
            redis: { connections_per_namespace: 10, max_total_connections: 200 },
          }),
          resource_limits: { per_namespace: { max_rps: 100 } },
        },
        tenants: [{ tenant_id: 'acme', namespaces: ['acme-*'], isolation_level: 'session' }],
      },
    });
    expect(id).toBe(`${data.configuration}:2`);
  });

  describe('of a proxy that was discovered', () => {
    const STANDARD = parsePoolName('standard');
    const questions = [{ user: 'user:scim:idp:ann', namespace: 'acme', relation: 'read' }];

    it('is for the credential of its pool and id, which can do all that a proxy does', async () => {
      await app.addProxy('eu-7', STANDARD);
      const { body: registered } = await registerProxy('eu-7', 'standard', EU_TOKEN).expect(200);
      expect(registered).toMatchObject({ id: 'eu-7', source: 'static', host: 'eu-7.internal' });
      const reader = await open(app, 'eu-7', { token: EU_TOKEN });
      expect((await reader.take()).data).toMatchObject({ pool: 'standard' });
      const policy = { revision: 0, source: 'stream', age_seconds: 0 };
      await app.api('post', '/proxies/eu-7/heartbeat', EU_TOKEN).send({ instance: 'a1', policy }).expect(200);
      await app.api('post', '/proxies/eu-7/access', EU_TOKEN).send({ questions }).expect(200);
      await app.api('delete', '/proxies/eu-7?connections=closed', EU_TOKEN).expect(204);
      expect(await app.store.proxies.find(parseProxyId('eu-7'))).toMatchObject({ instance: 'a1', health: 'healthy' });
    });

    it.each([
      ['an id that the credential is not for', 'us-7', 'standard', EU_TOKEN],
      ['the id of a proxy of another pool', 'eu-8', 'premium', EU_TOKEN],
      ['the id of a proxy that nobody has discovered', 'eu-9', undefined, EU_TOKEN],
      ['the credential of another pool', 'eu-7', 'standard', US_TOKEN],
    ])('is denied to a proxy that claims %s', async (_, id, pool, token) => {
      if (pool !== undefined) {
        await app.addProxy(id, parsePoolName(pool));
      }
      await app.api('get', `/proxies/${id}/policy`, token).expect(404);
      await app.api('post', `/proxies/${id}/heartbeat`, token).send({ instance: 'a1' }).expect(404);
      await app.api('post', `/proxies/${id}/access`, token).send({ questions }).expect(404);
      await app.api('delete', `/proxies/${id}?connections=closed`, token).expect(404);
      expect((await app.store.proxies.find(parseProxyId(id)))?.instance).toBeUndefined();
    });
  });

  it('begins with nothing where nothing is registered', async () => {
    expect((await (await openEu()).take()).data).toMatchObject({ revision: 0, tenants: [] });
  });

  it('tells what changes, also when that is in another pool', async () => {
    const stream = await openEu();
    const { id } = await stream.take('policy');
    await app.register('acme', { namespace_pattern: 'acme', pool: 'standard' });
    const { data, id: changedId } = await stream.take('change');
    expect(data).toEqual({
      from: 0,
      revision: 1,
      tenants: [{ tenant_id: 'acme', namespaces: ['acme'] }],
      removed: [],
    });
    expect(changedId).toBe(id?.replace(/:0$/, ':1'));
    await app.register('other', { namespace_pattern: 'other', pool: 'premium' });
    expect((await stream.take('change')).data).toEqual({ from: 1, revision: 2, tenants: [], removed: [] });
    await put('acme', {
      namespace_pattern: 'acme',
      pool: 'standard',
      connection_pools: { redis: { connections_per_namespace: 3, max_total_connections: 200 } },
    });
    expect((await stream.take('change')).data.tenants).toEqual([
      { tenant_id: 'acme', namespaces: ['acme'], connection_pools: { redis: { connections_per_namespace: 3 } } },
    ]);
    await app.api('delete', '/tenants/acme').expect(204);
    expect((await stream.take('change')).data).toMatchObject({ tenants: [], removed: ['acme'] });
  });

  it('goes on after a policy that fills the buffers of the connection', async () => {
    const patterns = Array.from({ length: 1000 }, (_, n) => `${'x'.repeat(50)}-${n}`);
    for (const id of ['a', 'b', 'c', 'd']) {
      await app.register(id, { namespace_patterns: patterns.map((each) => `${id}${each}`), pool: 'standard' });
    }
    await registerProxy('eu-1', 'standard', EU_TOKEN);
    const [one, other] = (await Promise.all(['eu-1', 'eu-1'].map((id) => open(app, id, { token: EU_TOKEN })))) as [
      PolicyStreamReader,
      PolicyStreamReader,
    ];
    for (const stream of [one, other]) {
      expect((await stream.take('policy')).data.tenants).toHaveLength(4);
    }
    await app.register('acme', { namespace_pattern: 'acme', pool: 'standard' });
    for (const stream of [one, other]) {
      expect((await stream.take('change')).data.tenants).toHaveLength(1);
    }
  });

  it('keeps a tenant that moves in the pool that it leaves, until that is drained', async () => {
    await app.register('acme', { namespace_pattern: 'acme', pool: 'standard' });
    const stream = await openEu();
    await registerProxy('us-1', 'premium', US_TOKEN);
    const other = await open(app, 'us-1', { token: US_TOKEN });
    await Promise.all([stream.take('policy'), other.take('policy')]);
    await put('acme', { namespace_pattern: 'acme', pool: 'premium', isolation_level: 'session' });
    const moved = { tenants: [{ tenant_id: 'acme', isolation_level: 'session' }], removed: [] };
    const change = await stream.take('change');
    expect(change.data).toMatchObject(moved);
    expect((await other.take('change')).data).toMatchObject(moved);
    // Nothing else changes, so the revision stays.
    const over = { from: 2, revision: 2, tenants: [], removed: ['acme'] };
    expect((await stream.take('change')).data).toEqual(over);
    const resumed = await open(app, 'eu-1', { token: EU_TOKEN, after: change.id });
    expect((await resumed.take('change')).data).toEqual(over);
  });

  it('goes on where an earlier stream ended', async () => {
    const stream = await openEu();
    await stream.take('policy');
    await app.register('acme', { namespace_pattern: 'acme', pool: 'standard' });
    const { id } = await stream.take('change');
    stream.close();
    await app.register('more', { namespace_pattern: 'more', pool: 'standard' });
    const resumed = await open(app, 'eu-1', { token: EU_TOKEN, after: id });
    expect((await resumed.take()).data).toEqual({
      from: 1,
      revision: 2,
      tenants: [{ tenant_id: 'more', namespaces: ['more'] }],
      removed: [],
    });
  });

  it.each(['nonsense', `${'0'.repeat(64)}:0`, `${'0'.repeat(64)}:1`, ':', `${'0'.repeat(64)}:99999999999999999999`])(
    'begins again after %j, which it has not sent',
    async (after) => {
      await app.register('acme', { namespace_pattern: 'acme', pool: 'standard' });
      expect(await (await openEu(after)).take()).toMatchObject({ event: 'policy', data: { revision: 1 } });
    },
  );

  it('says that the store was restored when the proxy has a later revision', async () => {
    const { id } = await (await openEu()).take();
    const later = id?.replace(/:0$/, ':7');
    const { data } = await (await open(app, 'eu-1', { after: later })).take();
    expect(data).toMatchObject({ revision: 0, restored: true, tenants: [] });
  });

  it('[a credential that is for another proxy] gives no policy to it, nor to unknown proxies and narrower admins', async () => {
    await registerProxy('eu-1', 'standard', EU_TOKEN);
    await registerProxy('us-1', 'premium', US_TOKEN);
    const statusOf = (id: string, token?: string) =>
      app.request('get', `/api/v1/proxies/${id}/policy`, token).then(({ status }) => status);
    expect([
      await statusOf('us-1', EU_TOKEN),
      await statusOf('eu-2', EU_TOKEN),
      await statusOf('eu-1', await app.adminOf(['acme'])),
      await statusOf('eu-1', 'wrong'),
      await statusOf('eu-1'),
      await statusOf('missing', await app.adminOf(['*'])),
    ]).toEqual([404, 404, 403, 401, 401, 404]);
  });

  it('ends when the proxy is removed', async () => {
    const stream = await openEu();
    await stream.take('policy');
    await app.api('delete', '/proxies/eu-1', EU_TOKEN).expect(204);
    await stream.until(() => stream.isEnded);
  });

  it('ends when the proxy registers in another pool', async () => {
    const stream = await openEu();
    await stream.take('policy');
    await app.api('post', '/proxies').send({ id: 'eu-1', pool: 'premium', host: '10.0.0.7', port: 8080 }).expect(200);
    await stream.until(() => stream.isEnded);
  });

  it('ends the oldest of three streams of one proxy', async () => {
    const [first, second, third] = [await openEu(), await openEu(), await openEu()];
    await first?.until(() => first.isEnded);
    expect([second?.isEnded, third?.isEnded]).toEqual([false, false]);
  });

  it('sends something at least every second', async () => {
    const stream = await openEu();
    await stream.until(() => stream.comments + stream.events.length >= 4);
    expect(new Set(stream.events.map(({ event }) => event))).toEqual(new Set(['policy', 'access']));
  });

  it('says who may have lost access, and every second that nobody else has', async () => {
    const { directory, providers } = app.store;
    const provider = parseProviderId('okta');
    const ada = formatResourceId('User', provider, 'ada');
    const change = { actor: 'test', at: new Date() };
    await providers.create(provider, { settings: DEFAULT_PROVIDER_SETTINGS }, change);
    await directory.create(provider, 'User', ada, draftOf('User', { externalId: 'ada', userName: 'ada' }), change);
    const stream = await openEu();
    await stream.take('access');
    await directory.deactivateUser(provider, 'ada', change);
    const events: unknown[] = [];
    while (!JSON.stringify(events).includes(ada)) {
      events.push((await stream.take('access')).data);
    }
    expect(events.at(-1)).toEqual({ users: [ada], namespaces: [], providers: [] });
    expect((await stream.take('access')).data).toEqual({ users: [], namespaces: [], providers: [] });
  });

  it('ends with the service', async () => {
    const stream = await openEu();
    await stream.take('policy');
    const closing = app.close();
    await expect(stream.until(() => stream.isEnded)).resolves.toBeUndefined();
    await closing;
    app = await ControlApp.start();
  });
});
