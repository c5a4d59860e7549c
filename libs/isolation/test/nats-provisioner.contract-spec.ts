import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNamespaceId, parseTenantId, type NamespaceId } from '@palisade/domain';
import { createNatsKey } from '../src/backends/nats/provisioning/nats-key.js';
import { NatsProvisioner } from '../src/backends/nats/provisioning/nats-provisioner.js';
import type { NatsTenant, NatsUserFile } from '../src/backends/nats/provisioning/render-users.js';
import { withCredentials, type NatsConnectOptions } from '../src/backends/nats/nats-options.js';
import { NatsDriver } from '../src/backends/nats/nats-driver.js';
import { requireBinary } from '../../../test/support/test-services.js';
import { NamespaceRejectedError } from '../src/pools/pool.errors.js';
import { ACME, BOLT, next, NatsWork, NatsWorld } from './support/nats-world.js';
import { ownTenant } from '../src/tenant-namespace.js';
import { waitUntil } from './support/wait-until.js';

const KEYS = { acme: createNatsKey(), bolt: createNatsKey(), trusted: createNatsKey() };
const STORAGE = { maxMemoryBytes: 1_000_000, maxFileBytes: 0, maxStreams: 2, maxConsumers: 4 };
const USER_FILE = 'users.conf';

function tenant(namespace: NamespaceId, nkey: string, streams: readonly string[] = []): NatsTenant {
  const names = streams.map((name) => ({ namespace, name }));
  return { tenantId: ownTenant(namespace), identities: [{ nkey }], streams: names, storage: STORAGE };
}

const BOTH = [tenant(ACME, KEYS.acme.nkey, ['orders']), tenant(BOLT, KEYS.bolt.nkey, ['orders'])];
const TRUSTED = [{ nkey: KEYS.trusted.nkey }];

/** How each form is included by the configuration of the server. */
const CONFIGS = {
  permissions: `accounts { TENANTS { jetstream: enabled, include "./${USER_FILE}" }\n OPS { users: [{ user: ops, password: ops }] } }`,
  accounts: `accounts { include "./${USER_FILE}"\n OPS { users: [{ user: ops, password: ops }] } }`,
};

async function startWorld(form: NatsUserFile['form']): Promise<NatsWorld> {
  return NatsWorld.start({
    config: CONFIGS[form],
    files: { [USER_FILE]: form === 'permissions' ? 'users: []\n' : '' },
    observer: { user: 'ops', pass: 'ops' },
  });
}

function provisionerOf(world: NatsWorld): NatsProvisioner {
  const program = requireBinary('nats-server');
  return new NatsProvisioner({
    file: join(world.directory, USER_FILE),
    checkCommand: [program, '-t', '-c', world.configFile],
    reloadCommand: [program, '--signal', `reload=${world.server.pid}`],
    monitorUrl: world.monitorUrl,
  });
}

function asOwner(world: NatsWorld, { seed }: { seed: string }): NatsConnectOptions {
  return withCredentials({ servers: world.url }, { nkeySeed: seed });
}

function ownDriver(world: NatsWorld, options = {}): NatsDriver {
  return world.driver({
    config: ({ namespace }) => asOwner(world, namespace === ACME ? KEYS.acme : KEYS.bolt),
    ...options,
  });
}

describe.each(['permissions', 'accounts'] as const)(`${NatsProvisioner.name} with %s`, (form) => {
  let world: NatsWorld;
  let provisioner: NatsProvisioner;

  beforeAll(async () => {
    world = await startWorld(form);
    provisioner = provisionerOf(world);
  });

  afterAll(async () => {
    await world[Symbol.asyncDispose]();
  });

  afterEach(async () => {
    await world.waitForNone();
  });

  const parties = () =>
    [
      { tenantId: ownTenant(ACME), config: asOwner(world, KEYS.acme) },
      { tenantId: ownTenant(BOLT), config: asOwner(world, KEYS.bolt) },
    ] as const;

  it('has the server know the users, and keep them apart', async () => {
    const applied = await provisioner.apply({ form, tenants: BOTH, trusted: TRUSTED });
    expect(applied.isChanged).toBe(true);
    expect(await provisioner.verify(...parties())).toEqual([]);
  });

  it('does nothing when nothing has changed, in whatever order', async () => {
    await provisioner.apply({ form, tenants: BOTH, trusted: TRUSTED });
    const again = await provisioner.apply({ form, tenants: BOTH.toReversed(), trusted: TRUSTED });
    expect(again.isChanged).toBe(false);
  });

  it('lets the scoped client do all that it can, but for making streams with permissions', async () => {
    await provisioner.apply({ form, tenants: BOTH, trusted: TRUSTED });
    const manageConfig = form === 'permissions' ? asOwner(world, KEYS.trusted) : undefined;
    await using work = await NatsWork.begin(ownDriver(world, { manageConfig }));
    const { nats } = work;
    await using requests = await nats.subscribe('echo.>');
    const asking = nats.request('echo.one', 'hello');
    await (await next(requests)).respond('hi');
    expect((await asking).text).toBe('hi');
    await nats.jetstream.createStream('orders', { subjects: ['orders'], storage: 'memory' });
    await nats.jetstream.createConsumer('orders', 'worker');
    await nats.jetstream.publish('orders', 'one');
    const [message] = await nats.jetstream.fetch('orders', 'worker', { maxMessages: 1 });
    await message?.ack();
    expect([message?.text, await nats.jetstream.findStream('orders')]).toMatchObject(['one', { messages: 1 }]);
    await nats.jetstream.deleteConsumer('orders', 'worker');
    await nats.jetstream.deleteStream('orders');
    if (manageConfig !== undefined) {
      await work[Symbol.asyncDispose]();
    }
  });

  it('disconnects users who are not among them any more', async () => {
    await provisioner.apply({ form, tenants: BOTH, trusted: TRUSTED });
    const driver = ownDriver(world);
    const [acme, bolt] = [
      await driver.connect(ACME, new AbortController().signal),
      await driver.connect(BOLT, new AbortController().signal),
    ];
    const lost = new Promise<void>((resolve) => {
      driver.onLost(bolt, resolve);
    });
    await provisioner.apply({ form, tenants: BOTH.slice(0, 1), trusted: TRUSTED });
    await lost;
    expect([driver.isUsable(acme), driver.isUsable(bolt)]).toEqual([true, false]);
    const error: unknown = await driver.connect(BOLT, new AbortController().signal).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NamespaceRejectedError);
    await driver.close(acme);
  });

  it('restores the file when the server does not take it over', async () => {
    await provisioner.apply({ form, tenants: BOTH, trusted: TRUSTED });
    const broken = new NatsProvisioner({
      file: join(world.directory, USER_FILE),
      reloadCommand: [requireBinary('nats-server'), '--signal', `reload=${world.server.pid}`],
      checkCommand: ['false'],
    });
    const attempt = broken.apply({ form, tenants: [], trusted: TRUSTED });
    await expect(attempt).rejects.toMatchObject({ code: 'PROVISIONING_FAILED' });
    expect((await provisioner.apply({ form, tenants: BOTH, trusted: TRUSTED })).isChanged).toBe(false);
    expect(await provisioner.verify(...parties())).toEqual([]);
  });

  it('restores the file when the server does not read it', async () => {
    await provisioner.apply({ form, tenants: BOTH, trusted: TRUSTED });
    const idle = new NatsProvisioner({
      file: join(world.directory, USER_FILE),
      reloadCommand: ['true'],
      monitorUrl: world.monitorUrl,
      timeoutMs: 300,
    });
    await expect(idle.apply({ form, tenants: [], trusted: TRUSTED })).rejects.toThrow('did not take the file over');
    expect((await provisioner.apply({ form, tenants: BOTH, trusted: TRUSTED })).isChanged).toBe(false);
  });

  it('applies one after another what is applied at the same time', async () => {
    const [, , last] = await Promise.all([
      provisioner.apply({ form, tenants: [] }),
      provisioner.apply({ form, tenants: BOTH.slice(0, 1), trusted: TRUSTED }),
      provisioner.apply({ form, tenants: BOTH, trusted: TRUSTED }),
    ]);
    expect(last?.isChanged).toBe(true);
    expect(await provisioner.verify(...parties())).toEqual([]);
  });
});

describe(`${NatsProvisioner.name} with permissions`, () => {
  let world: NatsWorld;
  let provisioner: NatsProvisioner;

  beforeAll(async () => {
    world = await startWorld('permissions');
    provisioner = provisionerOf(world);
    await provisioner.apply({ form: 'permissions', tenants: BOTH, trusted: TRUSTED });
  });

  afterAll(async () => {
    await world[Symbol.asyncDispose]();
  });

  it.each([
    'tenant.bolt.orders',
    'tenant.acme2.orders',
    'tenant.acme',
    '_INBOX_bolt.x',
    '_INBOX.x',
    '$JS.API.STREAM.CREATE.acme_orders',
    '$JS.API.STREAM.UPDATE.acme_orders',
    '$JS.API.CONSUMER.CREATE.acme_orders.x',
    '$JS.API.CONSUMER.DURABLE.CREATE.acme_orders.x',
    '$JS.API.STREAM.MSG.GET.bolt_orders',
    '$JS.API.CONSUMER.MSG.NEXT.bolt_orders.bolt_worker',
    '$JS.API.STREAM.NAMES',
    '$JS.ACK.bolt_orders.x',
  ])('has the server refuse to publish to %s', async (subject) => {
    await using work = await NatsWork.begin(ownDriver(world));
    await expect(work.link.publish({ subject, data: new Uint8Array() })).rejects.toThrow('Permissions Violation');
  });

  it.each([
    '>',
    'tenant.>',
    'tenant.*.orders',
    'tenant.bolt.orders',
    '_INBOX.>',
    '_INBOX_bolt.>',
    '*.>',
    '$JS.>',
    '$SYS.>',
  ])('has the server refuse to subscribe to %s', async (subject) => {
    await using work = await NatsWork.begin(ownDriver(world));
    const ended = new Promise<unknown>((resolve) => {
      work.link.subscribe(subject, undefined, { onMessage: () => {}, onEnd: resolve });
    });
    expect(String(await ended)).toContain('Permissions Violation');
  });

  it('says of the scoped client that it may not where its user may not', async () => {
    const mistaken = world.driver({ config: () => asOwner(world, KEYS.bolt) });
    await using work = await NatsWork.begin(mistaken, ACME);
    await expect(work.nats.publish('orders')).rejects.toThrow('Permissions Violation');
    await expect(work.nats.request('orders')).rejects.toThrow('Permissions Violation');
    await expect(work.nats.subscribe('orders')).rejects.toThrow('Permissions Violation');
    expect(work.driver.isUsable(work.link)).toBe(true);
  });

  it('finds what is wrong when a user may do more than it should', async () => {
    const open = `users: [\n { nkey: ${KEYS.acme.nkey} }\n { nkey: ${KEYS.bolt.nkey} }\n]\n`;
    await writeFile(join(world.directory, USER_FILE), open);
    process.kill(world.server.pid, 'SIGHUP');
    let problems: readonly string[] = [];
    const isFound = async () => {
      const verifying = provisioner.verify(
        { tenantId: ownTenant(ACME), config: asOwner(world, KEYS.acme) },
        { tenantId: ownTenant(BOLT), config: asOwner(world, KEYS.bolt) },
      );
      problems = await verifying.catch(() => []); // connections are cut while the server reads the file
      return problems.length > 0;
    };
    await waitUntil(isFound, 'the server has taken the file over');
    expect(problems.join('\n')).toMatch(/tenant acme gets messages to tenant\.bolt\..+ of bolt/);
    expect(problems.join('\n')).toMatch(/tenant bolt sends messages to _INBOX_acme\..+ of acme/);
    await provisioner.apply({ form: 'permissions', tenants: BOTH, trusted: TRUSTED });
  });

  it('renders what the server understands for many tenants', async () => {
    const passwordHash = `$2a$11$${'x'.repeat(53)}`;
    const many = Array.from({ length: 500 }, (_, index) => ({
      tenantId: parseTenantId(`tenant-${index}`),
      identities: [{ user: `user-${index}`, passwordHash }],
      streams: ['a', 'b'].map((name) => ({ namespace: parseNamespaceId(`tenant-${index}`), name })),
    }));
    const applying = provisioner.apply({ form: 'permissions', tenants: [...BOTH, ...many], trusted: TRUSTED });
    await expect(applying).resolves.toMatchObject({ isChanged: true });
  });
});
