import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, nkeyAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { parseNamespaceId, parseTenantId, type NamespaceId, type TenantId } from '@palisade/domain';
import { ownTenant, type BackendDriver, type ScopedClient, type TenantNamespace } from '@palisade/isolation';
import { KafkaDriver, KafkaProvisioner } from '@palisade/isolation/kafka';
import { NatsDriver } from '@palisade/isolation/nats';
import { PostgresDriver } from '@palisade/isolation/postgres';
import { RedisDriver } from '@palisade/isolation/redis';
import { MemoryStore } from '@palisade/storage';
import { Admin, Producer, stringSerializers } from '@platformatic/kafka';
import { Client } from 'pg';
import { createClient } from 'redis';
import { ControlApp } from './support/control-app.js';
import { ProvisionedBackends } from './support/provisioned-backends.js';
import { WorkContext } from '../../../libs/isolation/test/support/work-context.js';
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
  url.password = backends.secrets.passwordOf('postgres', ownTenant(tenant));
  const client = new Client({ connectionString: url.href, options: `-c app.tenant_id=${tenant}` });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function asRedis(tenant: typeof ACME, ...command: string[]): Promise<unknown> {
  const password = backends.secrets.passwordOf('redis', ownTenant(tenant));
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
  const seed = new TextEncoder().encode(backends.secrets.natsKeyOf(ownTenant(tenant)).seed);
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
      password: backends.secrets.passwordOf('kafka', ownTenant(tenant)),
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
    expect(text).not.toContain(backends.secrets.passwordOf('redis', ownTenant(ACME)));
    expect(text).not.toContain(new URL(backends.database.url).password);
  });
});

/** Drivers as a proxy has them, which log in as the tenant of the namespace, or always as one. */
class Drivers {
  constructor(private readonly always?: TenantId) {}

  redis(): RedisDriver {
    const config = (owner: TenantNamespace) => ({ url: backends.redis.url, ...this.login('redis', owner) });
    return new RedisDriver({ config });
  }

  postgres(): PostgresDriver {
    const url = new URL(backends.database.url);
    const config = (owner: TenantNamespace) => ({
      host: url.hostname,
      port: Number(url.port),
      database: url.pathname.slice(1),
      user: `tenant_${this.always ?? owner.tenantId}`,
      password: this.login('postgres', owner).password,
    });
    const separation = {
      type: 'row_level_security',
      mode: 'role',
      tenantColumn: 'tenant_id',
      tables: ['orders'],
      preflightTenant: ownTenant(ACME),
    } as const;
    return new PostgresDriver({ config, separation });
  }

  nats(): NatsDriver {
    const config = ({ tenantId }: TenantNamespace) => {
      const seed = new TextEncoder().encode(backends.secrets.natsKeyOf(this.always ?? tenantId).seed);
      return { servers: backends.nats.url, authenticator: nkeyAuthenticator(seed) };
    };
    return new NatsDriver({ config });
  }

  kafka(): KafkaDriver {
    const config = (owner: TenantNamespace) => ({
      brokers: backends.kafka.saslBrokers,
      sasl: { mechanism: 'SCRAM-SHA-512', ...this.login('kafka', owner) } as const,
    });
    return new KafkaDriver({ config });
  }

  private login(backend: 'redis' | 'kafka' | 'postgres', { tenantId }: TenantNamespace) {
    const tenant = this.always ?? tenantId;
    return { username: `tenant-${tenant}`, password: backends.secrets.passwordOf(backend, tenant) };
  }
}

describe('tenants as proxies serve them', () => {
  const CORE = parseTenantId(`core-${run}`);
  const [EU, US] = ['eu', 'us'].map((region) => parseNamespaceId(`shop-${run}-${region}`)) as [
    NamespaceId,
    NamespaceId,
  ];
  const NAMESPACES = [EU, US, ACME];
  const topics = [
    ...[EU, US].map((namespace) => `${CORE}.${namespace}.orders`),
    `${ACME}.${ACME}.orders`,
    `${BOLT}.${BOLT}.orders`,
  ];

  beforeAll(async () => {
    await app.register(CORE, { namespace_pattern: `shop-${run}-*` });
    await settled();
    await admin.createTopics({ topics, partitions: 1, replicas: 1 });
  });

  afterAll(async () => {
    await admin.deleteTopics({ topics });
    await app.api('delete', `/tenants/${CORE}`).expect(204);
    await settled();
  });

  /** Does work in a namespace, over a connection of its own. */
  async function within<C, S extends ScopedClient, T>(
    driver: BackendDriver<C, S>,
    namespace: NamespaceId,
    work: (client: S) => Promise<T>,
  ): Promise<T> {
    const owners = new Map<NamespaceId, TenantId>([
      [EU, CORE],
      [US, CORE],
    ]);
    driver.followTenants?.((each) => owners.get(each) ?? ownTenant(each));
    const connection = await driver.connect(namespace, AbortSignal.timeout(30_000));
    try {
      await using client = driver.scope(connection, namespace, new WorkContext());
      return await work(client);
    } finally {
      await driver.close(connection);
    }
  }

  /** What is found in each namespace after each has written its own name, under one name for all. */
  async function found<T>(each: (namespace: NamespaceId) => Promise<T>): Promise<T[]> {
    const results: T[] = [];
    for (const namespace of NAMESPACES) {
      results.push(await each(namespace));
    }
    return results;
  }

  const outsiders = () => new Drivers(CORE);

  it('reach their keys in Redis, those of each namespace by itself', async () => {
    const drivers = new Drivers();
    await found((namespace) => within(drivers.redis(), namespace, (redis) => redis.set('mine', namespace)));
    const values = await found((namespace) => within(drivers.redis(), namespace, (redis) => redis.get('mine')));
    expect(values).toEqual(NAMESPACES);
    await expect(within(outsiders().redis(), ACME, (redis) => redis.get('mine'))).rejects.toThrow('NOPERM');
  });

  it('reach their rows in PostgreSQL, those of each namespace by itself', async () => {
    const insert = "insert into orders values (current_setting('app.tenant_id'), $1)";
    const drivers = new Drivers();
    await found((namespace) =>
      within(drivers.postgres(), namespace, (postgres) => postgres.query(insert, [`of ${namespace}`])),
    );
    const select = "select title from orders where title like 'of %'";
    const rows = await found((namespace) =>
      within(drivers.postgres(), namespace, async (postgres) => (await postgres.query(select, [])).rows),
    );
    expect(rows).toEqual(NAMESPACES.map((namespace) => [{ title: `of ${namespace}` }]));
    await expect(within(outsiders().postgres(), ACME, (postgres) => postgres.query(select, []))).rejects.toMatchObject({
      code: 'NAMESPACE_REJECTED',
    });
  });

  it('cannot get at rows of another tenant by SQL, whatever it sets', async () => {
    const steal = "select title from orders, (select set_config('app.tenant_id', $1, true)) as s where true";
    for (const value of [ACME, `${ACME}/${EU}`, `${CORE}/../${ACME}`, `${CORE}x`, `${CORE}' or true --`, '/', '']) {
      const titles = await within(new Drivers().postgres(), EU, (postgres) =>
        postgres.transaction(async (transaction) => {
          await transaction.query("select set_config('app.tenant_id', $1, true)", [value]);
          return (await transaction.query<{ title: string }>(steal, [value])).rows.map(({ title }) => title);
        }),
      );
      expect(titles.filter((title) => title !== `of ${EU}`)).toEqual([]);
    }
  });

  it('reach their subjects in NATS, those of each namespace by itself', async () => {
    const drivers = new Drivers();
    const heard: [NamespaceId, string][] = [];
    const subscribed = Promise.withResolvers<void>();
    let waiting = NAMESPACES.length;
    const listen = (namespace: NamespaceId) =>
      within(drivers.nats(), namespace, async (nats) => {
        const messages = await nats.subscribe('orders');
        waiting -= 1;
        if (waiting === 0) {
          subscribed.resolve();
        }
        for await (const message of messages) {
          heard.push([namespace, message.text]);
          return;
        }
      });
    const listening = NAMESPACES.map(listen);
    await subscribed.promise;
    await found((namespace) => within(drivers.nats(), namespace, (nats) => nats.publish('orders', namespace)));
    await Promise.all(listening);
    expect(heard.filter(([namespace, text]) => namespace !== text)).toEqual([]);
    expect(new Set(heard.map(([namespace]) => namespace))).toEqual(new Set(NAMESPACES));
    await expect(within(outsiders().nats(), ACME, (nats) => nats.subscribe('orders'))).rejects.toThrow(/permission/i);
  });

  it('reach their topics in Kafka, those of each namespace by itself', async () => {
    const drivers = new Drivers();
    const produce = (driver: KafkaDriver, namespace: NamespaceId) =>
      within(driver, namespace, (kafka) => kafka.produce('orders', [{ value: namespace }]));
    for (const namespace of NAMESPACES) {
      // It takes a broker a moment to know of new users and lists.
      await until(() =>
        produce(drivers.kafka(), namespace).then(
          () => true,
          () => false,
        ),
      );
    }
    const first = await found((namespace) =>
      within(drivers.kafka(), namespace, async (kafka) => {
        for await (const record of await kafka.consume('orders', { group: 'readers', from: 'earliest' })) {
          return record.value?.toString();
        }
        return undefined;
      }),
    );
    expect(first).toEqual(NAMESPACES);
    await expect(produce(outsiders().kafka(), BOLT)).rejects.toThrow();
  });

  it('are each as provisioned, when they are looked at', async () => {
    const all = await report();
    expect(all.map(({ pending }) => pending)).toEqual([[], [], [], []]);
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
    expect([roles.rowCount, rows.rowCount]).toEqual([0, 3]);
  });

  it('has no users and keys any more', async () => {
    expect(await asRedis(ACME, 'PING')).toContain('WRONGPASS');
    expect(await backends.redisAdmin('ACL', 'USERS')).toEqual(['default']);
    await expect(asNats(ACME)).rejects.toThrow(/authorization/i);
    const kafka = new KafkaProvisioner({ config: { brokers: backends.kafka.brokers } });
    expect(await kafka.verify(ownTenant(ACME))).toContain(`User:tenant-${ACME} cannot log in with SCRAM-SHA-512`);
    expect(await kafka.verify(ownTenant(ACME))).toContain(`missing: User:tenant-${ACME} may WRITE TOPIC ${ACME}.*`);
  });
});
