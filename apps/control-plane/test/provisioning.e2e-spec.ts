import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, nkeyAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { parseNamespaceId } from '@palisade/domain';
import { KafkaProvisioner } from '@palisade/isolation/kafka';
import { MemoryStore } from '@palisade/storage';
import { Admin, Producer, stringSerializers } from '@platformatic/kafka';
import { Client } from 'pg';
import { createClient } from 'redis';
import { ControlApp } from './support/control-app.js';
import { ProvisionedBackends } from './support/provisioned-backends.js';
import { until } from '../../../test/support/until.js';

const run = randomBytes(4).toString('hex');
const ACME = parseNamespaceId(`acme-${run}`);
const BOLT = parseNamespaceId(`bolt-${run}`);

/** Outlives the replica that it belongs to. */
class SharedStore extends MemoryStore {
  override async close(): Promise<number> {
    return 0;
  }
}

let backends: ProvisionedBackends;
let app: ControlApp;
let admin: Admin;

beforeAll(async () => {
  backends = await ProvisionedBackends.start();
  app = await ControlApp.start({ yaml: backends.yaml, mayLead: true, store: new SharedStore() });
  admin = new Admin({ clientId: 'tests', bootstrapBrokers: backends.kafka.brokers });
});

afterAll(async () => {
  await app.close();
  await admin.close();
  await backends[Symbol.asyncDispose]();
});

interface BackendReport {
  readonly backend: string;
  readonly revision: number;
  readonly pending: readonly { readonly tenant: string; readonly reason: string }[];
}

async function report(): Promise<readonly BackendReport[]> {
  const { body } = await app.api('get', '/status').expect(200);
  const status = body.components.find(({ component }: { component: string }) => component === 'provisioning');
  return status?.detail.backends ?? [];
}

/** Every backend is as the registry is now. */
async function settled(): Promise<void> {
  const { body } = await app.api('get', '/status').expect(200);
  await until(async () => {
    const all = await report();
    return all.length === 4 && all.every(({ revision, pending }) => revision >= body.revision && pending.length === 0);
  });
}

async function asPostgres<T>(tenant: typeof ACME, work: (client: Client) => Promise<T>): Promise<T> {
  const url = new URL(backends.database.url);
  url.username = `tenant_${tenant}`;
  url.password = backends.secrets.passwordOf('postgres', tenant);
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function asRedis(tenant: typeof ACME, ...command: string[]): Promise<unknown> {
  const password = backends.secrets.passwordOf('redis', tenant);
  const { url } = backends.redis;
  const socket = { reconnectStrategy: false } as const;
  const client = createClient({ url, username: `tenant-${tenant}`, password, socket });
  client.on('error', () => {}); // told by what is awaited
  try {
    await client.connect();
    return await client.sendCommand(command);
  } catch (error) {
    return (error as Error).message;
  } finally {
    if (client.isOpen) {
      client.destroy();
    }
  }
}

function asNats(tenant: typeof ACME): Promise<NatsConnection> {
  const seed = new TextEncoder().encode(backends.secrets.natsKeyOf(tenant).seed);
  return connect({ servers: backends.nats.url, authenticator: nkeyAuthenticator(seed), reconnect: false });
}

/** Undefined when it is allowed. */
async function natsRejection(tenant: typeof ACME, subject: string): Promise<string | undefined> {
  const client = await asNats(tenant);
  try {
    const rejection = new Promise<string>((resolve) => {
      client.subscribe(subject, {
        callback: (error) => {
          if (error !== null) {
            resolve(error.message);
          }
        },
      });
    });
    // The server answers in order: whatever it says of the subscription comes before the second answer.
    const silence = client.flush().then(() => client.flush());
    await silence;
    return await Promise.race([rejection, Promise.resolve(undefined)]);
  } finally {
    await client.close();
  }
}

/** Undefined when it is allowed. */
async function kafkaRejection(tenant: typeof ACME, topic: string): Promise<unknown> {
  const producer = new Producer({
    clientId: 'tests',
    bootstrapBrokers: backends.kafka.saslBrokers,
    sasl: {
      mechanism: 'SCRAM-SHA-512',
      username: `tenant-${tenant}`,
      password: backends.secrets.passwordOf('kafka', tenant),
    },
    serializers: stringSerializers,
    retries: 0,
  });
  try {
    await producer.send({ messages: [{ topic, value: 'hello' }], acks: -1 });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await producer.close();
  }
}

describe('a registered tenant', () => {
  beforeAll(async () => {
    await app.register(ACME, { namespace_pattern: ACME });
    await app.register(BOLT, { namespace_pattern: BOLT });
    await settled();
  });

  it('reaches its rows with its role, and nobody else’s', async () => {
    await backends.postgres.query('insert into orders values ($1, $2), ($3, $4)', [ACME, 'anvil', BOLT, 'bow']);
    const titles = await asPostgres(ACME, async (client) => {
      await client.query('insert into orders values ($1, $2)', [ACME, 'axe']);
      return (await client.query<{ title: string }>('select title from orders order by title')).rows;
    });
    expect(titles).toEqual([{ title: 'anvil' }, { title: 'axe' }]);
    await expect(
      asPostgres(ACME, (client) => client.query('insert into orders values ($1, $2)', [BOLT, 'axe'])),
    ).rejects.toThrow('row-level security');
  });

  it('reaches its keys with its user, and no others', async () => {
    expect(await asRedis(ACME, 'SET', `tenant:${ACME}:color`, 'red')).toBe('OK');
    expect(await asRedis(ACME, 'GET', `tenant:${BOLT}:color`)).toContain('NOPERM');
    expect(await asRedis(ACME, 'ACL', 'LIST')).toContain('NOPERM');
  });

  it('reaches its subjects with its key, and no others', async () => {
    expect(await natsRejection(ACME, `tenant.${ACME}.orders`)).toBeUndefined();
    expect(await natsRejection(ACME, `tenant.${BOLT}.orders`)).toMatch(/permission/i);
    expect(await natsRejection(ACME, '>')).toMatch(/permission/i);
  });

  it('reaches its topics with its user, and no others', async () => {
    const topics = [`${ACME}.orders`, `${BOLT}.orders`];
    await admin.createTopics({ topics, partitions: 1, replicas: 1 });
    try {
      // It takes a broker a moment to know of new users and lists.
      await until(async () => (await kafkaRejection(ACME, topics[0] ?? '')) === undefined);
      expect(await kafkaRejection(ACME, topics[1] ?? '')).toBeInstanceOf(Error);
    } finally {
      await admin.deleteTopics({ topics });
    }
  });

  it('is left as it is when it is registered again', async () => {
    const verifier = 'select rolpassword from pg_authid where rolname = $1';
    const before = (await backends.postgres.query(verifier, [`tenant_${ACME}`])).rows;
    await app.api('post', '/tenants').send({ tenant_id: ACME, namespace_pattern: ACME }).expect(200);
    await app.register(`corp-${run}`, { namespace_pattern: `corp-${run}` });
    await settled();
    expect((await backends.postgres.query(verifier, [`tenant_${ACME}`])).rows).toEqual(before);
  });

  it('gets back what it has changed itself, within a round of verification', async () => {
    const role = `tenant_${ACME}`;
    await asPostgres(ACME, async (client) => {
      await client.query(`alter role "${role}" password 'known-to-the-tenant-only'`);
      await client.query(`alter role "${role}" set search_path to nowhere`);
    });
    // Another leader begins with a round.
    await app.close();
    app = await ControlApp.start({ yaml: backends.yaml, mayLead: true, store: app.store });
    await until(async () => (await asPostgres(ACME, async () => true).catch(() => false)) === true);
    await until(async () => (await app.records()).some(({ action }) => action === 'tenant.repair'));
    const repairs = (await app.records()).filter(({ action }) => action === 'tenant.repair');
    expect(repairs).toMatchObject([
      {
        tenantId: ACME,
        detail: {
          backend: 'postgres',
          differences: [expect.stringContaining('search_path'), expect.stringContaining('has another password')],
        },
      },
    ]);
    const { text } = await app.request('get', '/metrics').expect(200);
    expect(text).toContain('control_plane_provisioning_repairs_total{backend="postgres"} 1');
  });

  it('tells nobody a password', async () => {
    const { text } = await app.api('get', '/status').expect(200);
    expect(text).not.toContain(backends.secrets.passwordOf('redis', ACME));
    expect(text).not.toContain(new URL(backends.database.url).password);
  });
});

describe('a backend that is away', () => {
  const late = parseNamespaceId(`late-${run}`);

  it('has tenants pending, while others go on, and catches up when it is back', async () => {
    await backends.redis.stop();
    await app.register(late, { namespace_pattern: late });
    await until(async () =>
      (await report()).some(({ backend, pending }) => backend === 'redis' && pending[0]?.tenant === late),
    );
    const redis = (await report()).find(({ backend }) => backend === 'redis');
    expect(redis?.pending[0]?.reason).toMatch(/ECONNREFUSED|closed|connect/i);
    await until(async () => (await asPostgres(late, async () => true).catch(() => false)) === true);
    await backends.redis.start();
    await settled();
    expect(await asRedis(late, 'SET', `tenant:${late}:color`, 'red')).toBe('OK');
    // Those who were there before have outlived the restart.
    expect(await asRedis(ACME, 'SET', `tenant:${ACME}:color`, 'blue')).toBe('OK');
  });
});

describe('a removed tenant', () => {
  beforeAll(async () => {
    for (const tenant of [ACME, BOLT, `corp-${run}`, `late-${run}`]) {
      await app.api('delete', `/tenants/${tenant}`).expect(204);
    }
    await settled();
  });

  it('has no role any more, and its rows are kept', async () => {
    const roles = await backends.postgres.query('select from pg_roles where rolname = $1', [`tenant_${ACME}`]);
    const rows = await backends.postgres.query('select from orders where tenant_id = $1', [ACME]);
    expect([roles.rowCount, rows.rowCount]).toEqual([0, 2]);
  });

  it('has no users and keys any more', async () => {
    expect(await asRedis(ACME, 'PING')).toContain('WRONGPASS');
    expect(await backends.redisAdmin('ACL', 'USERS')).toEqual(['default']);
    await expect(asNats(ACME)).rejects.toThrow(/authorization/i);
    const kafka = new KafkaProvisioner({ config: { brokers: backends.kafka.brokers } });
    expect(await kafka.verify(ACME)).toContain(`User:tenant-${ACME} cannot log in with SCRAM-SHA-512`);
    expect(await kafka.verify(ACME)).toContain(`missing: User:tenant-${ACME} may WRITE TOPIC ${ACME}.*`);
  });
});
