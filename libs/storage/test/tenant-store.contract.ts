import { describe, expect, it } from '@jest/globals';
import type { Store, Tenant } from '@palisade/domain';
import { PREMIUM, STANDARD, TestTenants } from './support/tenancy-samples.js';
import { changeAt } from './support/store-harness.js';

/** Tenants: registering, replacing, removing and reading them. */
export function describeTenantStoreContract(store: () => Store): void {
  describe('tenants', () => {
    describe('register', () => describeRegistration(store));
    describe('replace', () => describeReplacement(store));
    describe('replace, moving to another pool', () => describeMoves(store));
    describe('remove', () => describeRemoval(store));
    describe('list', () => describeList(store));
  });
}

const EVERYTHING = {
  pool: PREMIUM,
  isolationLevel: 'session',
  tier: 'enterprise',
  annualRevenue: 100_000.5,
  connectionPools: { redis: { connectionsPerNamespace: 20 }, postgres: { maxConnections: 5, perSessionLimit: 1 } },
  resourceLimits: { maxRps: 50, cores: 0.5, bytes: 2 ** 30 },
} as const;

function describeRegistration(store: () => Store): void {
  it('keeps what was registered', async () => {
    const tenants = new TestTenants(store());

    const result = await tenants.register('a', ['-b*', '-a', '-c?d'], EVERYTHING);

    const at = new Date('2026-01-01T00:00:00Z');
    const tenant: Tenant = {
      id: tenants.id('a'),
      ...tenants.draft(['-b*', '-a', '-c?d'], EVERYTHING),
      source: 'api',
      version: 1,
      createdAt: at,
      modifiedAt: at,
    };
    expect(result).toEqual({ registered: true, tenant });
    expect(await tenants.find('a')).toEqual(tenant);
  });

  it('keeps nothing of what was not said', async () => {
    const tenants = new TestTenants(store());

    await tenants.register('a', ['-*'], { pool: undefined, tier: undefined });

    expect(Object.keys((await tenants.find('a')) ?? {}).toSorted()).toEqual(
      ['id', 'namespacePatterns', 'source', 'version', 'createdAt', 'modifiedAt'].toSorted(),
    );
  });

  it('changes nothing when the identical tenant is registered again', async () => {
    const tenants = new TestTenants(store());
    const { tenant } = await tenants.register('a', ['-a', '-b*'], EVERYTHING);

    const draft = tenants.draft(['-b*', '-a', '-a'], structuredClone(EVERYTHING));
    const again = await store().tenants.register(tenant.id, 'api', draft, changeAt(7));

    expect(again).toEqual({ registered: false, tenant });
    expect(await tenants.records('a')).toHaveLength(1);
  });

  it('rejects a tenant that is registered with other values', async () => {
    const tenants = new TestTenants(store());
    const { tenant } = await tenants.register('a', ['-a'], { pool: STANDARD });

    for (const registration of [
      tenants.register('a', ['-a'], { pool: PREMIUM }),
      tenants.register('a', ['-a']),
      tenants.register('a', ['-a', '-b'], { pool: STANDARD }),
      tenants.register('a', ['-a'], { pool: STANDARD }, 'kubernetes'),
    ]) {
      await expect(registration).rejects.toMatchObject({ code: 'TENANT_CONFLICT', tenant: tenant.id });
    }
    expect(await tenants.find('a')).toEqual(tenant);
  });

  it('registers one of tenants of the same id that are registered at once', async () => {
    const tenants = new TestTenants(store());

    const results = await Promise.allSettled(
      ['-a', '-b', '-c', '-d', '-e'].map((pattern) => tenants.register('a', [pattern])),
    );

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('gives copies, so that a caller cannot change what is stored', async () => {
    const tenants = new TestTenants(store());
    const { tenant } = await tenants.register('a', ['-a'], EVERYTHING);

    tenant.createdAt.setTime(0);

    expect((await tenants.find('a'))?.createdAt).toEqual(new Date('2026-01-01T00:00:00Z'));
  });

  it('finds nothing under an id that no tenant has', async () => {
    expect(await new TestTenants(store()).find('nobody')).toBeUndefined();
  });
}

function describeReplacement(store: () => Store): void {
  it('replaces everything that was said and counts the version up', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-a'], EVERYTHING);

    const replaced = await tenants.replace('a', ['-b', '-c*'], { isolationLevel: 'none', pool: PREMIUM });

    expect(replaced).toEqual({
      id: tenants.id('a'),
      ...tenants.draft(['-b', '-c*'], { isolationLevel: 'none', pool: PREMIUM }),
      source: 'api',
      version: 2,
      createdAt: new Date('2026-01-01T00:00:00Z'),
      modifiedAt: new Date('2026-01-01T00:00:05Z'),
    });
    expect(await tenants.find('a')).toEqual(replaced);
  });

  it('leaves version and revision alone when nothing changes', async () => {
    const tenants = new TestTenants(store());
    const { tenant } = await tenants.register('a', ['-a', '-b'], EVERYTHING);

    expect(await tenants.replace('a', ['-b', '-a'], structuredClone(EVERYTHING))).toEqual(tenant);
    expect(await tenants.records('a')).toHaveLength(1);
  });

  it('fails for a tenant that is not registered', async () => {
    const tenants = new TestTenants(store());

    await expect(tenants.replace('a', ['-a'])).rejects.toMatchObject({
      code: 'TENANT_NOT_FOUND',
      tenant: tenants.id('a'),
    });
  });

  it('fails unless the tenant is at the version that the caller names', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-a']);
    await tenants.replace('a', ['-b'], {}, { ifVersion: 1 });

    const late = tenants.replace('a', ['-c'], {}, { ifVersion: 1 });

    await expect(late).rejects.toMatchObject({ code: 'PRECONDITION_FAILED', expected: '1', current: '2' });
    expect(await tenants.find('a')).toMatchObject({ version: 2, ...tenants.draft(['-b']) });
  });

  it('lets one of parallel replacements of the same version through', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-0']);

    const results = await Promise.allSettled(
      ['-1', '-2', '-3', '-4'].map((pattern) => tenants.replace('a', [pattern], {}, { ifVersion: 1 })),
    );

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await tenants.find('a'))?.version).toBe(2);
  });

  it('keeps every one of parallel replacements without a version', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-0']);

    await Promise.all(['-1', '-2', '-3', '-4'].map((pattern) => tenants.replace('a', [pattern])));

    expect((await tenants.find('a'))?.version).toBe(5);
  });

  it('is for the source alone that registered the tenant', async () => {
    const tenants = new TestTenants(store());
    const { tenant } = await tenants.register('a', ['-a'], {}, 'kubernetes');

    for (const change of [tenants.replace('a', ['-a']), tenants.replace('a', ['-b']), tenants.remove('a')]) {
      await expect(change).rejects.toMatchObject({ code: 'MANAGED_ELSEWHERE', id: tenant.id, source: 'kubernetes' });
    }
    expect(await tenants.replace('a', ['-b'], {}, { source: 'kubernetes' })).toMatchObject({ version: 2 });
  });
}

function describeMoves(store: () => Store): void {
  it('remembers the pool that a tenant leaves until it has drained', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-a'], { pool: STANDARD });

    const moved = await tenants.replace('a', ['-a'], { pool: PREMIUM }, { drainMs: 30_000 });

    const draining = { pool: STANDARD, until: new Date('2026-01-01T00:00:35Z') };
    expect(moved).toMatchObject({ pool: PREMIUM, draining });
    expect((await tenants.find('a'))?.draining).toEqual(draining);
  });

  it('keeps draining through changes that do not move the tenant', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-a'], { pool: STANDARD });
    const { draining } = await tenants.replace('a', ['-a'], { pool: PREMIUM }, { drainMs: 30_000 });

    await tenants.replace('a', ['-b'], { pool: PREMIUM }, { drainMs: 60_000 });

    expect((await tenants.find('a'))?.draining).toEqual(draining);
  });

  it.each([
    ['a pool that was not named', undefined, 30_000],
    ['a pool that needs no time', STANDARD, undefined],
  ])('drains nothing when the tenant leaves %s', async (_, pool, drainMs) => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-a'], { pool });

    await tenants.replace('a', ['-a'], { pool: PREMIUM }, { drainMs });

    expect(await tenants.find('a')).not.toHaveProperty('draining');
  });
}

function describeRemoval(store: () => Store): void {
  it('removes a tenant and frees its namespaces', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-*']);

    await tenants.remove('a');

    expect(await tenants.find('a')).toBeUndefined();
    expect(await tenants.register('b', ['-x'])).toMatchObject({ registered: true });
  });

  it('begins again when a removed tenant is registered again', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-a'], EVERYTHING);
    await tenants.replace('a', ['-b'], EVERYTHING);
    await tenants.remove('a');

    expect((await tenants.register('a', ['-c'])).tenant).toMatchObject({ version: 1, ...tenants.draft(['-c']) });
  });

  it('fails for a tenant that is not registered, and unless it is at the version that the caller names', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-a']);

    await expect(tenants.remove('b')).rejects.toMatchObject({ code: 'TENANT_NOT_FOUND' });
    await expect(tenants.remove('a', { ifVersion: 2 })).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    await tenants.remove('a', { ifVersion: 1 });
    await expect(tenants.remove('a')).rejects.toMatchObject({ code: 'TENANT_NOT_FOUND' });
  });
}

function describeList(store: () => Store): void {
  it('lists by id, by code point, after a given one', async () => {
    const tenants = new TestTenants(store());
    const names = ['0', 'a', 'a-b', 'a0'];
    for (const name of names.toReversed()) {
      await tenants.register(name, [`-${name}-${name}`]);
    }

    const first = await store().tenants.list({ after: tenants.id('0'), limit: 2 });
    const second = await store().tenants.list({ after: first.at(-1)?.id, limit: 1 });

    expect([...first, ...second].map(({ id }) => id)).toEqual(['a', 'a-b', 'a0'].map((name) => tenants.id(name)));
  });

  it('selects by pool', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-a'], { pool: STANDARD });
    await tenants.register('b', ['-b'], { pool: PREMIUM });
    await tenants.register('c', ['-c']);
    await tenants.register('d', ['-d'], { pool: PREMIUM });

    const found = await store().tenants.list({ pool: PREMIUM, after: tenants.id('a'), limit: 2 });

    expect(found.map(({ id }) => id)).toEqual([tenants.id('b'), tenants.id('d')]);
  });
}
