import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RedisProvisioner } from '../src/backends/redis/redis-provisioner.js';
import { RedisDriver } from '../src/backends/redis/redis-driver.js';
import { RedisLink } from '../src/backends/redis/redis-link.js';
import { ScopedRedis } from '../src/backends/redis/scoped-redis.js';
import { NamespaceRejectedError } from '../src/pools/pool.errors.js';
import { ACME, BOLT, RedisWork, RedisWorld } from './support/redis-world.js';
import { ownTenant } from '../src/tenant-namespace.js';

const ADMIN_PASSWORD = 'password-of-the-admin';
const PASSWORD = 'password-of-the-tenant';

let world: RedisWorld;
let directory: string;
let provisioner: RedisProvisioner;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'palisade-acl-'));
  const aclFile = join(directory, 'users.acl');
  await writeFile(aclFile, 'user default on nopass ~* &* +@all\n');
  world = await RedisWorld.start('--aclfile', aclFile);
  await world.send('ACL', 'SETUSER', 'admin', 'on', `>${ADMIN_PASSWORD}`, '~*', '&*', '+@all');
  provisioner = new RedisProvisioner({ config: asUser('admin', ADMIN_PASSWORD) });
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  await world.send('FLUSHALL');
});

function asUser(username: string, password: string) {
  return { url: world.server.url, username, password };
}

function ownDriver(options: Partial<ConstructorParameters<typeof RedisDriver>[0]> = {}): RedisDriver {
  return world.driver({ config: ({ tenantId }) => asUser(provisioner.usernameOf(tenantId), PASSWORD), ...options });
}

/** What the server says to a command that the user of the namespace sends by itself. */
async function ask(...args: string[]): Promise<unknown> {
  const connect = asUser(provisioner.usernameOf(ownTenant(ACME)), PASSWORD);
  const link = await RedisLink.open({ connect, commandTimeoutMs: 5_000 }, new AbortController().signal);
  try {
    return await link.send(args, 'text').catch((error: unknown) => (error as Error).message);
  } finally {
    await link.close();
  }
}

describe(RedisProvisioner.name, () => {
  it('makes a user whose password nobody has to think of', async () => {
    const { username, password = '' } = await provisioner.apply(ownTenant(BOLT));
    expect(password).toMatch(/^[\w-]{43}$/);
    const link = await RedisLink.open(
      { connect: asUser(username, password), commandTimeoutMs: 5_000 },
      new AbortController().signal,
    );
    await link.close();
    await provisioner.remove(ownTenant(BOLT));
  });

  it('comes to the same when it is applied again, and keeps the password', async () => {
    await provisioner.apply(ownTenant(ACME), PASSWORD);
    const before = await world.send('ACL', 'LIST');
    expect(await provisioner.apply(ownTenant(ACME))).toEqual({ username: 'tenant-acme', password: undefined });
    await provisioner.apply(ownTenant(ACME), PASSWORD);
    expect(await world.send('ACL', 'LIST')).toEqual(before);
  });

  it('replaces the password', async () => {
    await provisioner.apply(ownTenant(ACME), 'another-password-of-it');
    await provisioner.apply(ownTenant(ACME), PASSWORD);
    expect(await ask('GET', 'tenant:acme:x')).toBeNull();
    expect(await provisioner.verify(ownTenant(ACME), 'another-password-of-it')).toContain(
      'user tenant-acme: it has other passwords',
    );
  });

  it('rejects a password that can be guessed', async () => {
    await expect(provisioner.apply(ownTenant(ACME), 'short')).rejects.toThrow('at least 16 characters');
  });

  it('lets the scoped client do all that it can', async () => {
    await provisioner.apply(ownTenant(ACME), PASSWORD);
    await using work = await RedisWork.begin(ownDriver());
    const { redis } = work;
    const done = [
      redis.set('a', '1', { ttlMs: 1000 }),
      redis.get('a'),
      redis.getDel('a'),
      redis.mSet([['a', '1']]),
      redis.mGet(['a']),
      redis.exists('a'),
      redis.incrBy('a'),
      redis.expire('a', 1000),
      redis.ttlMs('a'),
      redis.persist('a'),
      redis.type('a'),
      redis.del('a'),
      redis.hashes.set('h', [['f', '1']]),
      redis.hashes.setIfAbsent('h', 'f', '1'),
      redis.hashes.get('h', 'f'),
      redis.hashes.getMany('h', ['f']),
      redis.hashes.getAll('h'),
      redis.hashes.fields('h'),
      redis.hashes.size('h'),
      redis.hashes.has('h', 'f'),
      redis.hashes.incrBy('h', 'f'),
      redis.hashes.del('h', 'f'),
      redis.lists.pushHead('l', '1'),
      redis.lists.pushTail('l', '1', '2'),
      redis.lists.range('l', 0, -1),
      redis.lists.remove('l', '1', 1),
      redis.lists.length('l'),
      redis.lists.move('l', 'm'),
      redis.lists.trim('l', 0, 1),
      redis.lists.popHead('l'),
      redis.lists.popTail('l'),
      redis.sets.add('s', '1'),
      redis.sets.has('s', '1'),
      redis.sets.members('s'),
      redis.sets.size('s'),
      redis.sets.remove('s', '1'),
      redis.sortedSets.add('z', [['1', 1]]),
      redis.sortedSets.incrBy('z', '1', 1),
      redis.sortedSets.score('z', '1'),
      redis.sortedSets.rank('z', '1'),
      redis.sortedSets.size('z'),
      redis.sortedSets.count('z'),
      redis.sortedSets.range('z', 0, -1),
      redis.sortedSets.rangeByScore('z', {}),
      redis.sortedSets.removeByScore('z', {}),
      redis.sortedSets.remove('z', '1'),
      redis.publish('news', 'x'),
      redis.transaction((batch) => [batch.get('a')]),
    ];
    const results = await Promise.allSettled(done);
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
    await redis.watch(['a'], async () => (batch) => [batch.set('a', '1')]);
    await expect(redis.watch(['a'], () => Promise.reject(new Error('undecided')))).rejects.toThrow('undecided');
    await using channel = await redis.subscribe('news');
    await using all = await redis.subscribeAll();
    await redis.publish('news', 'x');
    expect((await channel[Symbol.asyncIterator]().next()).value?.message).toBe('x');
    expect((await all[Symbol.asyncIterator]().next()).value?.message).toBe('x');
  });

  it.each([
    'SCAN 0',
    'RANDOMKEY',
    'DBSIZE',
    'KEYS tenant:acme:*',
    'SELECT 1',
    'MOVE tenant:acme:x 1',
    'GET tenant:bolt:x',
    'GET tenant:acme',
    'GET tenant:acme2:x',
    'MGET tenant:acme:x tenant:bolt:x',
    'LMOVE tenant:acme:x tenant:bolt:x LEFT LEFT',
    'RENAME tenant:acme:x tenant:bolt:x',
    'EVAL return(1) 0',
    'FUNCTION FLUSH',
    'SCRIPT FLUSH',
    'FLUSHALL',
    'CONFIG GET *',
    'CLIENT LIST',
    'CLIENT TRACKING ON BCAST',
    'PUBSUB CHANNELS',
    'SUBSCRIBE tenant:bolt:news',
    'PSUBSCRIBE *',
    'PSUBSCRIBE tenant:*',
    'PUBLISH tenant:bolt:news x',
    'ACL LIST',
    'MONITOR',
  ])('has the server reject %s', async (command) => {
    await provisioner.apply(ownTenant(ACME), PASSWORD);
    expect(await ask(...command.split(' '))).toMatch(/^NOPERM /);
  });

  it('has the tenant scan through somebody who may', async () => {
    await provisioner.apply(ownTenant(ACME), PASSWORD);
    await world.send('MSET', 'tenant:acme:acme:own', '', 'tenant:bolt:other', '');
    await using rejected = await RedisWork.begin(ownDriver());
    await expect(rejected.redis.scanPage()).rejects.toThrow('NOPERM');
    await using work = await RedisWork.begin(ownDriver({ scanConfig: asUser('admin', ADMIN_PASSWORD) }));
    expect((await work.redis.scanPage()).keys).toEqual(['own']);
  });

  it('finds nothing to report about what it has made', async () => {
    await world.send('ACL', 'SETUSER', 'default', 'off');
    await provisioner.apply(ownTenant(ACME), PASSWORD);
    expect(await provisioner.verify(ownTenant(ACME), PASSWORD)).toEqual([]);
    await world.send('ACL', 'SETUSER', 'default', 'on');
  });

  it.each([
    ['a key pattern too many', ['~*'], 'its keys have ~* too'],
    ['no keys', ['resetkeys'], 'its keys lack ~tenant:acme:*'],
    ['a channel too many', ['&*'], 'its channels have &* too'],
    ['a command too many', ['+scan'], 'its commands '],
    ['a category too many', ['+@all'], 'its commands '],
    ['a command too few', ['-get'], 'its commands '],
    ['no need for a password', ['nopass'], 'it has the flag nopass'],
    ['a second password', ['>another-password-of-it'], 'it has other passwords'],
    ['no access', ['off'], 'it is off'],
    ['a selector', ['(~* +get)'], 'it has selectors'],
  ])('reports %s, and repairs it', async (_, change, expected) => {
    await provisioner.apply(ownTenant(ACME), PASSWORD);
    await world.send('ACL', 'SETUSER', 'tenant-acme', ...change);
    expect((await provisioner.verify(ownTenant(ACME), PASSWORD)).join('\n')).toContain(expected);
    await provisioner.apply(ownTenant(ACME), PASSWORD);
    expect(
      (await provisioner.verify(ownTenant(ACME), PASSWORD)).filter((text) => !text.startsWith('user default')),
    ).toEqual([]);
  });

  it('reports that anybody may do everything without a password', async () => {
    await provisioner.apply(ownTenant(ACME), PASSWORD);
    expect(await provisioner.verify(ownTenant(ACME))).toEqual([
      'user default: it needs no password, so that anybody may do what it may',
    ]);
  });

  it('ends a user and its connections', async () => {
    await provisioner.apply(ownTenant(ACME), PASSWORD);
    const driver = ownDriver();
    const link = await driver.connect(ACME, new AbortController().signal);
    const lost = new Promise<void>((resolve) => {
      driver.onLost(link, resolve);
    });
    expect(await provisioner.remove(ownTenant(ACME))).toBe(true);
    await lost;
    expect(await provisioner.remove(ownTenant(ACME))).toBe(false);
    expect(await provisioner.verify(ownTenant(ACME))).toContain('user tenant-acme: there is no such user');
    const error: unknown = await driver.connect(ACME, new AbortController().signal).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NamespaceRejectedError);
  });

  it('has the server write its file of users, without passwords in it', async () => {
    const saving = new RedisProvisioner({ config: asUser('admin', ADMIN_PASSWORD), savesAclFile: true });
    await saving.apply(ownTenant(BOLT), PASSWORD);
    const file = await readFile(join(directory, 'users.acl'), 'utf8');
    expect(file).toContain('user tenant-bolt on');
    expect(file).not.toContain(PASSWORD);
    await saving.remove(ownTenant(BOLT));
    expect(await readFile(join(directory, 'users.acl'), 'utf8')).not.toContain('tenant-bolt');
  });
});

describe(ScopedRedis.name, () => {
  it('closes the connection that it scanned through when that is not needed', async () => {
    await provisioner.apply(ownTenant(ACME), PASSWORD);
    const before = await world.countConnections();
    await using work = await RedisWork.begin(ownDriver({ scanConfig: asUser('admin', ADMIN_PASSWORD) }));
    await Promise.all(Array.from({ length: 20 }, () => work.redis.scanPage()));
    expect((await world.countConnections()) - before).toBeLessThanOrEqual(3);
    await work[Symbol.asyncDispose]();
    await world.waitForNone();
  });
});
