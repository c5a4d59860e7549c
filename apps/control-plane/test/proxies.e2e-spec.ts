import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parsePoolName, parseProxyId } from '@palisade/domain';
import { digestSecret } from '@palisade/guards';
import { HEARTBEAT_EXAMPLES } from '../src/proxies/heartbeat.dto.js';
import { ControlApp } from './support/control-app.js';

const STANDARD = parsePoolName('standard');

const cap = { limit: 25, in_use: 12, waiting: 0, least: 4, hold_seconds: 10 };
const connections = { in_use: 12, idle: 3, waiting: 0 };
const usage = {
  sessions: 2,
  connections: { postgres: connections, redis: connections, nats: connections, kafka: connections },
  requests: 120_000,
  errors: 3,
  rejected: { POOL_TIMEOUT: 1, RATE_LIMITED: 2 },
  p50_ms: 1.2,
  p99_ms: 9.5,
};
const namespaces = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ ...usage, namespace: `namespace-${n}` }));

describe('/api/v1/proxies', () => {
  let app: ControlApp;
  beforeEach(async () => {
    app = await ControlApp.start();
  });
  afterEach(() => app.close());

  const body = { id: 'standard-1', pool: 'standard', host: '10.0.0.7', port: 8080 };
  const heartbeat = (sent?: unknown) => app.api('post', '/proxies/standard-1/heartbeat').send(sent as object);
  const register = (fields: object = {}) => app.api('post', '/proxies').send({ ...body, ...fields });

  it('registers a proxy, which has no health until it is checked', async () => {
    const { body: proxy } = await register().expect(201).expect('Location', '/api/v1/proxies/standard-1');
    expect(proxy).toEqual({
      ...body,
      weight: 100,
      draining: false,
      source: 'registration',
      health: 'unknown',
      registered_at: expect.stringMatching(/Z$/),
      last_heartbeat_at: expect.stringMatching(/Z$/),
      heartbeat_interval_seconds: 5,
    });
  });

  it('takes a proxy that is known at its new word', async () => {
    await register().expect(201);
    await register({ host: '10.0.0.8', weight: 50 }).expect(200);
    const { body: proxy } = await app.api('get', '/proxies/standard-1').expect(200);
    expect(proxy).toMatchObject({ host: '10.0.0.8', weight: 50 });
  });

  it('has room for 500 proxies in a pool, and for those that are known already', async () => {
    await register().expect(201);
    await Promise.all(Array.from({ length: 499 }, (_, n) => app.addProxy(`found-${n}`, STANDARD)));
    const { body: problem } = await register({ id: 'standard-2' }).expect(409);
    expect(problem).toMatchObject({
      code: 'TOO_MANY_PROXIES',
      detail: 'there may be 500 proxies in the pool "standard"',
    });
    await register({ weight: 50 }).expect(200);
    await register({ id: 'premium-1', pool: 'premium' }).expect(201);
    await register({ id: 'premium-1' }).expect(409);
  });

  it('has room for 1,000 proxies in all pools', async () => {
    await register().expect(201);
    await Promise.all(Array.from({ length: 999 }, (_, n) => app.addProxy(`found-${n}`, parsePoolName('other'))));
    const { body: problem } = await register({ id: 'standard-2' }).expect(409);
    expect(problem).toMatchObject({
      code: 'TOO_MANY_PROXIES',
      detail: 'there may be 1000 proxies in all pools together',
    });
    await register({ pool: 'premium' }).expect(200);
  });

  it.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '2002:a9fe:a9fe::1',
    'fe80::1',
    'fd00:ec2::254',
    '100.100.100.200',
    '2852039166',
    '0xA9FEA9FE',
    '0251.0376.0251.0376',
    '169.254.43518',
    'a9.0xfe',
  ])(
    'does not let a proxy name the link-local or metadata address %s, nor spell an address as resolvers read it',
    async (host) => {
      const { body: problem } = await register({ host }).expect(400);
      expect(problem).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: ['host: expected a DNS name, or an IP address that is neither link-local nor of a metadata service'],
      });
    },
  );

  it('tells a proxy that it was forgotten', async () => {
    const { body: problem } = await app.api('post', '/proxies/standard-1/heartbeat').expect(404);
    expect(problem).toMatchObject({ code: 'PROXY_NOT_FOUND' });
  });

  it('takes heartbeats of discovered proxies, which they do not have to send', async () => {
    await app.addProxy('found', STANDARD);
    await app.api('post', '/proxies/found/heartbeat').send({ instance: 'a1' }).expect(200);
    const { body: list } = await app.api('get', '/proxies').expect(200);
    expect(list.items).toMatchObject([{ id: 'found', source: 'static', instance: 'a1' }]);
    expect(list.items[0]).not.toHaveProperty('last_heartbeat_at');
  });

  it('shows what a heartbeat says of the proxy', async () => {
    await register().expect(201);
    const policy = { revision: 7, source: 'stream', age_seconds: 0.25, rejected: { revision: 8, reason: 'no driver' } };
    await heartbeat({ instance: 'a1', version: '1.0.0', policy }).expect(200);
    const { body: list } = await app.api('get', '/proxies').expect(200);
    expect(list.items).toMatchObject([{ id: 'standard-1', instance: 'a1', version: '1.0.0', policy }]);
  });

  it.each(Object.values(HEARTBEAT_EXAMPLES))('takes the heartbeat of an example: $summary', async (example) => {
    await register().expect(201);
    await heartbeat('value' in example ? example.value : undefined).expect(200);
  });

  it('takes a heartbeat with at most 1,000 namespaces on four backends', async () => {
    await register().expect(201);
    await heartbeat({ usage: { namespaces: namespaces(1000), rest: { ...usage, namespaces: 7 } } }).expect(200);
    await heartbeat({ usage: { namespaces: namespaces(1001) } }).expect(400);
  });

  it.each([
    [[], 'object is expected'],
    [{ instance: '' }, 'instance'],
    [{ instance: 'x'.repeat(65) }, 'instance'],
    [{ version: 7 }, 'version'],
    [{ policy: {} }, 'policy.source'],
    [{ policy: { source: 'gossip', age_seconds: 0 } }, 'policy.source'],
    [{ policy: { source: 'stream', age_seconds: -1 } }, 'policy.age_seconds'],
    [{ policy: { source: 'stream', age_seconds: 0, revision: 1.5 } }, 'policy.revision'],
    [{ policy: { source: 'stream', age_seconds: 0, revision: 2 ** 60 } }, 'policy.revision'],
    [{ policy: { source: 'stream', age_seconds: 0, rejected: { revision: 1 } } }, 'policy.rejected.reason'],
    [{ caps: { postgres: { limit: 1 } } }, 'caps.postgres.in_use'],
    [{ caps: { postgres: { ...cap, in_use: -1 } } }, 'caps.postgres.in_use'],
    [{ caps: { postgres: { ...cap, hold_seconds: '9' } } }, 'caps.postgres.hold_seconds'],
    [{ caps: { 'post gres': cap } }, 'caps'],
    [{ caps: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`b${n}`, cap])) }, 'caps'],
    [{ usage: { namespaces: [{ ...usage, namespace: 'Acme' }] } }, 'usage.namespaces.0.namespace'],
    [{ usage: { namespaces: [{ ...usage, namespace: 'acme', requests: -1 }] } }, 'usage.namespaces.0.requests'],
    [{ usage: { namespaces: [{ ...usage, namespace: 'acme', rejected: { A: 'x' } }] } }, 'usage.namespaces.0.rejected'],
    [{ colour: 'red' }, 'colour'],
  ])('rejects a heartbeat with %j', async (sent, text) => {
    await register().expect(201);
    const { body: problem } = await heartbeat(sent).expect(400);
    expect(JSON.stringify(problem)).toContain(text);
  });

  it('rejects a heartbeat of more than 1 MiB', async () => {
    await register().expect(201);
    await heartbeat({ instance: 'x'.repeat(2 ** 20) }).expect(413);
  });

  it('lists proxies by pool and id', async () => {
    await register();
    await app.addProxy('premium-1', parsePoolName('premium'), 'unhealthy');
    const { body: list } = await app.api('get', '/proxies').expect(200);
    expect(list.items).toMatchObject([
      { id: 'premium-1', pool: 'premium', health: 'unhealthy', source: 'static' },
      { id: 'standard-1', pool: 'standard', health: 'unknown' },
    ]);
  });

  it.each(['registered', 'discovered'])('drains a proxy that was %s', async (kind) => {
    await (kind === 'registered' ? register().expect(201) : app.addProxy('standard-1', STANDARD));
    await app.api('patch', '/proxies/standard-1').send({ draining: true, weight: 7 }).expect(200);
    const proxy = await app.store.proxies.find(parseProxyId('standard-1'));
    expect(proxy).toMatchObject({ isDraining: true, weight: 7, pool: 'standard', port: 8080 });
  });

  it('keeps what an adjustment does not name', async () => {
    await register({ weight: 7, draining: true });
    const { body: proxy } = await app.api('patch', '/proxies/standard-1').send({}).expect(200);
    expect(proxy).toMatchObject({ weight: 7, draining: true });
  });

  it('removes a registered proxy, once', async () => {
    await register();
    await app.api('delete', '/proxies/standard-1').expect(204);
    await app.api('delete', '/proxies/standard-1').expect(404);
  });

  it('leaves a discovered proxy to what it was discovered by', async () => {
    await app.addProxy('found', STANDARD);
    const { body: problem } = await app.api('delete', '/proxies/found').expect(409);
    expect(problem).toMatchObject({ code: 'MANAGED_ELSEWHERE' });
    await register({ id: 'found' }).expect(409);
  });

  it.each([
    [{ pool: 'gold' }, 'UNKNOWN_POOL', 'gold'],
    [{ id: 'Standard 1' }, 'INVALID_IDENTIFIER', 'proxy id'],
    [{ host: '10.0.0.7\nserver evil' }, 'VALIDATION_FAILED', 'host'],
    [{ host: 'a{b}' }, 'VALIDATION_FAILED', 'host'],
    [{ host: 'fe80::1%eth0' }, 'VALIDATION_FAILED', 'host'],
    [{ port: 0 }, 'VALIDATION_FAILED', 'port'],
    [{ port: '8080' }, 'VALIDATION_FAILED', 'port'],
    [{ weight: 257 }, 'VALIDATION_FAILED', 'weight'],
    [{ draining: null }, 'VALIDATION_FAILED', 'draining'],
    [{ colour: 'red' }, 'VALIDATION_FAILED', 'colour'],
  ])('rejects %j as %s', async (fields, code, text) => {
    const { body: problem } = await register(fields).expect(400);
    expect(problem.code).toBe(code);
    expect(JSON.stringify(problem)).toContain(text);
    expect(await app.store.proxies.list()).toEqual([]);
  });

  it('keeps a record of who registered, drained and removed it', async () => {
    await register();
    await app.api('patch', '/proxies/standard-1').send({ draining: true });
    await app.api('delete', '/proxies/standard-1');
    const records = (await app.records()).map(({ action, resource, userId }) => [action, resource, userId]);
    expect(records).toEqual([
      ['proxy.register', 'proxy:standard-1', 'admin'],
      ['proxy.register', 'proxy:standard-1', 'admin'],
      ['proxy.remove', 'proxy:standard-1', 'admin'],
    ]);
  });
});

describe('a proxy with the token of its pool', () => {
  const EU = 'token-of-the-proxies-in-eu';
  const US = 'token-of-the-proxies-in-us';
  let app: ControlApp;
  beforeEach(async () => {
    const entry = (name: string, token: string) => ({
      name,
      digest: digestSecret(token),
      pool: STANDARD,
      idPrefix: `${name}-`,
    });
    const shared = { name: 'shared', digest: digestSecret('shared-token'), pool: STANDARD, idPrefix: '' };
    app = await ControlApp.start({ config: { proxyTokenDigests: [entry('eu', EU), entry('us', US), shared] } });
  });
  afterEach(() => app.close());

  const body = { id: 'eu-1', pool: 'standard', host: '10.0.0.7', port: 8080 };
  const register = (token: string, fields: object = {}) =>
    app.api('post', '/proxies', token).send({ ...body, ...fields });

  it('registers, sends heartbeats, reads and removes itself', async () => {
    await register(EU).expect(201);
    await register(EU, { weight: 7 }).expect(200);
    await app.api('post', '/proxies/eu-1/heartbeat', EU).expect(200);
    await app.api('get', '/proxies/eu-1', EU).expect(200);
    await app.api('delete', '/proxies/eu-1', EU).expect(204);
    await app.api('get', '/proxies/eu-1').expect(404);
    const actors = (await app.records()).map(({ userId }) => userId);
    expect(new Set(actors)).toEqual(new Set(['proxy:eu']));
  });

  it('registers neither in another pool nor under an id that is not its own', async () => {
    await register(EU, { pool: 'premium' }).expect(403);
    const { body: problem } = await register(EU, { id: 'us-1' }).expect(403);
    expect(problem.detail).toBe('this credential is for proxies "eu-*" of the pool "standard"');
  });

  it('neither moves, nor reads, nor removes a proxy that another credential has registered', async () => {
    await register('shared-token').expect(201);
    const { body: problem } = await register(EU, { host: '10.6.6.6' }).expect(409);
    expect(problem.code).toBe('PROXY_TAKEN');
    await app.api('post', '/proxies/eu-1/heartbeat', EU).expect(404);
    await app.api('get', '/proxies/eu-1', EU).expect(404);
    await app.api('delete', '/proxies/eu-1', EU).expect(404);
    const { body: proxy } = await app.api('get', '/proxies/eu-1').expect(200);
    expect(proxy.host).toBe('10.0.0.7');
  });

  it('does not learn which proxies there are', async () => {
    await register(US, { id: 'us-1' }).expect(201);
    const [known, unknown] = await Promise.all(
      ['us-1', 'us-2'].map((id) => app.api('get', `/proxies/${id}`, EU).expect(404)),
    );
    expect(known?.body.code).toBe(unknown?.body.code);
    await app.api('get', '/proxies', EU).expect(403);
  });

  describe('or with a JWT', () => {
    it('registers, sends heartbeats, reads and removes itself', async () => {
      const token = await app.proxyJwt({ sub: 'eu-workload' });
      await register(token).expect(201);
      // A proxy fetches new tokens of the same client.
      const next = await app.proxyJwt({ sub: 'eu-workload', jti: '2' });
      await app.api('post', '/proxies/eu-1/heartbeat', next).expect(200);
      await app.api('get', '/proxies/eu-1', next).expect(200);
      await app.api('delete', '/proxies/eu-1', next).expect(204);
      const actors = (await app.records()).map(({ userId }) => userId);
      expect(new Set(actors)).toEqual(new Set(['proxy:jwt:eu-workload']));
    });

    it('registers neither in another pool nor under an id that is not its own', async () => {
      const token = await app.proxyJwt();
      await register(token, { pool: 'premium' }).expect(403);
      await register(token, { id: 'us-1' }).expect(403);
      await register(await app.proxyJwt({ pool: 'premium' })).expect(403);
    });

    it('neither moves, nor reads, nor removes a proxy of another client or of a static token', async () => {
      await register(EU).expect(201);
      for (const sub of ['eu', 'someone-else']) {
        const token = await app.proxyJwt({ sub });
        await register(token, { host: '10.6.6.6' }).expect(409);
        await app.api('post', '/proxies/eu-1/heartbeat', token).expect(404);
        await app.api('get', '/proxies/eu-1', token).expect(404);
        await app.api('delete', '/proxies/eu-1', token).expect(404);
      }
    });

    it.each([
      [{ pool: undefined }],
      [{ id_prefix: undefined }],
      [{ pool: '*' }],
      [{ sub: undefined }],
      [{ aud: 'another-service' }],
    ])('is nobody with %j', async (claims) => {
      await register(await app.proxyJwt(claims)).expect(401);
    });

    it('is no admin, whatever scopes it has beside', async () => {
      const token = await app.proxyJwt({ scope: 'proxy admin', namespaces: '*' });
      await app.api('get', '/proxies', token).expect(403);
      await app.api('get', '/tenants', token).expect(403);
    });
  });

  it('leaves admins their say', async () => {
    await register(EU).expect(201);
    await app.api('patch', '/proxies/eu-1').send({ draining: true }).expect(200);
    await register(EU, { draining: true }).expect(200);
    await app.api('delete', '/proxies/eu-1').expect(204);
  });
});
