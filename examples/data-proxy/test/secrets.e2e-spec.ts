import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PlantedSecrets } from '../../../test/support/secrets/planted-secrets.js';
import { PlantedServers } from './support/planted-servers.js';
import { ProxyProcess } from './support/proxy-process.js';

const TWO_MINUTES_MS = 120_000;
const JSON_TYPE = { 'Content-Type': 'application/json' };

const SETTINGS = {
  isolation_level: 'namespace',
  connection_pools: {
    postgres: { connections_per_namespace: 2, max_total_connections: 4 },
    redis: { connections_per_namespace: 2, max_total_connections: 4 },
    nats: { connections_per_namespace: 2, max_total_connections: 4 },
    kafka: { connections_per_namespace: 2, max_total_connections: 4 },
  },
  audit: { log_actions: true },
};

const secrets = new PlantedSecrets();
let servers: PlantedServers;

beforeAll(async () => {
  servers = await PlantedServers.start(secrets);
}, TWO_MINUTES_MS);
afterAll(() => servers[Symbol.asyncDispose]());

/** Keeps each whole answer, head and body. */
class Client {
  readonly answers: string[] = [];

  constructor(private readonly origin: string) {}

  /** Resolves to the status. */
  async ask(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<number> {
    const response = await fetch(`${this.origin}${path}`, { method, headers, ...(body !== undefined && { body }) });
    this.answers.push(JSON.stringify([...response.headers]), await response.text());
    return response.status;
  }

  /** Work on PostgreSQL, Redis, NATS and Kafka; resolves to the statuses. */
  async useBackends(credential: Record<string, string>): Promise<number[]> {
    const headers = { ...credential, ...JSON_TYPE };
    return [
      await this.ask('POST', '/v1/queries/notes.insert', headers, '{"values":{"title":"a","body":"b"}}'),
      await this.ask('PUT', '/v1/kv/a', headers, '"b"'),
      await this.ask('POST', '/v1/messages/a', headers, '"b"'),
      await this.ask('POST', '/v1/topics/events', headers, '{"records":[{"value":"b"}]}'),
    ];
  }

  /** What is for operators. */
  async look(): Promise<void> {
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      await this.ask('GET', path);
    }
  }

  /** Where clients put secrets by mistake; resolves to the statuses. */
  async sendSecrets(key: string): Promise<number[]> {
    const secret = secrets.plant('secret of a client');
    const usage = (headers: Record<string, string>): Promise<number> => this.ask('GET', '/v1/usage', headers);
    const query = (name: string, body: string): Promise<number> =>
      this.ask('POST', `/v1/queries/${name}`, { 'X-Api-Key': key, ...JSON_TYPE }, body);
    return [
      await usage({ 'X-Api-Key': secret }),
      await usage({ 'X-Api-Key': `${key.slice(0, -1)}-` }),
      await usage({ Authorization: `Bearer ${secret}` }),
      await usage({ Authorization: `Basic ${btoa(`acme:${secret}`)}`, Cookie: `session=${secret}` }),
      await this.ask('GET', `/v1/usage?api_key=${secret}`),
      await query('notes.insert', `{"values":{"title":"${secret}","password":"${secret}"}}`),
      await query('notes.get', `{"values":{"id":"${secret}"}}`),
      await query('notes.list', `{"values":{"limit":1},"password":"${secret}"}`),
      await query('notes.list', `{"password":"${secret}`),
      await query('notes.list', secret),
    ];
  }
}

interface Visit {
  readonly client: Client;
  readonly proxy: ProxyProcess;
  readonly withKey: readonly number[];
  readonly withToken: readonly number[];
  readonly withSecrets: readonly number[];
}

/** Everything that clients and operators do, until the end of the proxy. */
async function visit(
  environment: Record<string, string>,
  { meanwhile = async () => {}, readiness = 200 }: { meanwhile?: () => Promise<void>; readiness?: 200 | 503 } = {},
): Promise<Visit> {
  const proxy = await ProxyProcess.spawn({ settings: SETTINGS, keys: servers.keys, environment });
  await proxy.service.untilReadiness(readiness);
  const client = new Client(proxy.origin);
  await meanwhile();
  const withKey = await client.useBackends({ 'X-Api-Key': servers.key });
  const withToken = await client.useBackends({ Authorization: `Bearer ${await servers.issueToken()}` });
  const withSecrets = await client.sendSecrets(servers.key);
  await client.look();
  expect(await proxy.service.end('SIGTERM')).toBe(0);
  return { client, proxy, withKey, withToken, withSecrets };
}

const REJECTED = [401, 401, 401, 401, 401, 400, 400, 400, 400, 400];

describe.each([
  {
    when: 'every password is right',
    run: () => visit(servers.right),
    withKey: [200, 204, 202, 200],
    withToken: [200, 204, 202, 200],
  },
  {
    when: 'the control plane rejects it',
    run: () => visit(servers.ungoverned, { readiness: 503 }),
    audited: /^$/,
    withKey: [503, 503, 503, 503],
    withToken: [503, 503, 503, 503],
  },
  {
    when: 'every password is wrong',
    run: () => visit(servers.wrong, { meanwhile: () => servers.lockOut() }),
    withKey: [503, 503, 503, 503],
    withToken: [503, 503, 503, 503],
  },
  {
    when: 'every server is away',
    run: () => visit(servers.away),
    withKey: [501, 503, 503, 503],
    withToken: [503, 503, 503, 503],
  },
])('what leaves the data proxy while $when', ({ run, withKey, withToken, audited = /"action":"/ }) => {
  let visited: Visit;

  beforeAll(async () => {
    visited = await run();
  }, TWO_MINUTES_MS);
  afterAll(() => visited.proxy[Symbol.asyncDispose]());

  it('is no secret in any answer', () => {
    expect(visited).toMatchObject({ withKey, withToken, withSecrets: REJECTED });
    expect(secrets.foundIn(visited.client.answers.join('\n'))).toEqual([]);
  });

  it('is no secret in its output, at the most talkative level', () => {
    expect(visited.proxy.service.output).toContain('"path":"/v1/kv/a"');
    expect(secrets.foundIn(visited.proxy.service.output)).toEqual([]);
  });

  it('is no secret in its audit trail', () => {
    expect(visited.proxy.audit).toMatch(audited);
    expect(secrets.foundIn(visited.proxy.audit)).toEqual([]);
  });
});

describe('what a data proxy says that does not start', () => {
  const secret = secrets.plant('secret in the wrong place');
  let directory: string;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'palisade-proxy-secrets-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each([
    ['PostgreSQL is away', 'ECONNREFUSED', () => postgresUrl('127.0.0.1:2')],
    ['PostgreSQL knows another password', 'password authentication failed', () => postgresUrl()],
    ['Redis knows another password', 'WRONGPASS', () => ({ ...redisUrl(), DATA_PROXY_PROVISION: 'true' })],
    ['a URL cannot be read', 'DATA_PROXY_REDIS_URL', () => ({ DATA_PROXY_REDIS_URL: `redis://:${secret}@[redis` })],
    ['a URL is of another kind', 'DATA_PROXY_NATS_URL', () => ({ DATA_PROXY_NATS_URL: `http://a:${secret}@nats` })],
    ['a token cannot be one', 'DATA_PROXY_CONTROL_TOKEN', () => ({ DATA_PROXY_CONTROL_TOKEN: `${secret} and` })],
    ['the file of API keys cannot be read', 'not YAML', () => keysFile(`- id: one\n  key: ${secret}\n : [`)],
    ['it has a key twice', 'not YAML', () => keysFile(`- id: one\n  ${secret}: a\n  ${secret}: b\n`)],
    ['it has a key instead of its digest', 'digest', () => keysFile(entry(`pk_12345678_${secret}`))],
    ['it has a key beside its digest', 'nothing else', () => keysFile(`${entry('0'.repeat(64))}\n  key: ${secret}`)],
  ])('has no secret when %s', async (_, reason, mistake) => {
    const environment = { ...servers.right, DATA_PROXY_PROVISION: 'false', ...mistake() };
    await using proxy = await ProxyProcess.spawn({ settings: SETTINGS, keys: servers.keys, environment });
    expect(await proxy.service.exit).toEqual({ code: 1, signal: null });
    expect(proxy.service.output).toContain(reason);
    expect(secrets.foundIn(proxy.service.output)).toEqual([]);
  });

  function postgresUrl(host?: string): Record<string, string> {
    const url = new URL(servers.right['DATA_PROXY_POSTGRES_URL'] ?? '');
    url.host = host ?? url.host;
    url.password = secret;
    return { DATA_PROXY_POSTGRES_URL: url.href };
  }

  function redisUrl(): Record<string, string> {
    const url = new URL(servers.right['DATA_PROXY_REDIS_URL'] ?? '');
    url.password = secret;
    return { DATA_PROXY_REDIS_URL: url.href };
  }

  function keysFile(content: string): Record<string, string> {
    const path = join(directory, 'keys.yaml');
    writeFileSync(path, content);
    return { DATA_PROXY_API_KEYS: path };
  }

  function entry(digest: string): string {
    return `- id: "12345678"\n  namespace: acme\n  digest: "${digest}"`;
  }
});
