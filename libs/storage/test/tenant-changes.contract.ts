import { describe, expect, it } from '@jest/globals';
import type { Store, TenantChanges, TenantId } from '@palisade/domain';
import { PREMIUM, STANDARD, TestTenants } from './support/tenancy-samples.js';

/** The revisions of the registry, and the action records of tenants. */
export function describeTenantChangesContract(store: () => Store): void {
  describe('changes of tenants', () => {
    describe('changesSince', () => describeChanges(store));
    describe('for a reader who follows', () => describeFollowing(store));
    describe('action records', () => describeActions(store));
  });
}

/** Reads on until there is no more; bounded, so that a store that never ends fails. */
async function followFrom(store: Store, revision: number, limit: number): Promise<TenantChanges[]> {
  const pages: TenantChanges[] = [];
  for (let from = revision; pages.length < 1000;) {
    const page = await store.tenants.changesSince(from, limit);
    pages.push(page);
    from = page.revision;
    if (!page.hasMore) {
      return pages;
    }
  }
  throw new Error('the changes do not end');
}

function describeChanges(store: () => Store): void {
  it('counts one revision up with each change, and none without', async () => {
    const tenants = new TestTenants(store());
    const before = await store().tenants.revision();

    await tenants.register('a', ['-a']);
    await tenants.register('a', ['-a']);
    await tenants.replace('a', ['-b']);
    await tenants.replace('a', ['-b']);
    await tenants.replace('a', ['-c'], {}, { ifVersion: 9 }).catch(() => {});
    await tenants.register('b', ['-b']).catch(() => {});
    await tenants.remove('a');

    expect(await store().tenants.revision()).toBe(before + 3);
  });

  it('tells what is different since a revision, each tenant once', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('kept', ['-kept']);
    await tenants.register('gone', ['-gone']);
    const before = await store().tenants.revision();

    await tenants.register('new', ['-new']);
    await tenants.replace('new', ['-newer']);
    await tenants.remove('gone');
    await tenants.register('short', ['-short']);
    await tenants.remove('short');

    const changes = await store().tenants.changesSince(before, 100);
    expect(changes).toEqual({
      revision: before + 5,
      changed: [await tenants.find('new')],
      removed: [tenants.id('gone'), tenants.id('short')],
      hasMore: false,
    });
  });

  it('tells nothing when nothing has changed', async () => {
    const revision = await store().tenants.revision();

    expect(await store().tenants.changesSince(revision, 10)).toEqual({
      revision,
      changed: [],
      removed: [],
      hasMore: false,
    });
  });

  it('no longer tells of a removal when the tenant is there again', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-a']);
    const before = await store().tenants.revision();

    await tenants.remove('a');
    const { tenant } = await tenants.register('a', ['-b']);

    expect(await store().tenants.changesSince(before, 10)).toMatchObject({ changed: [tenant], removed: [] });
  });

  it.each([1, 2, 3, 100])('tells everything in pages of %i', async (limit) => {
    const tenants = new TestTenants(store());
    const before = await store().tenants.revision();
    for (const name of ['a', 'b', 'c', 'd']) {
      await tenants.register(name, [`-${name}`]);
    }
    await tenants.remove('b');
    await tenants.replace('a', ['-a', '-aa']);

    const pages = await followFrom(store(), before, limit);

    expect(pages.flatMap(({ changed }) => changed.map(({ id }) => id))).toEqual(
      ['c', 'd', 'a'].map((name) => tenants.id(name)),
    );
    expect(pages.flatMap(({ removed }) => removed)).toEqual([tenants.id('b')]);
    expect(pages.every(({ changed, removed }) => changed.length + removed.length <= limit)).toBe(true);
    expect(pages.at(-1)?.revision).toBe(before + 6);
  });

  it('tells everything since the beginning from revision 0 on', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-a']);
    await tenants.register('b', ['-b']);

    const pages = await followFrom(store(), 0, 1000);

    const ids = pages.flatMap(({ changed }) => changed.map(({ id }) => id));
    expect(ids).toEqual(expect.arrayContaining([tenants.id('a'), tenants.id('b')]));
  });
}

function describeFollowing(store: () => Store): void {
  it('shows every one of 20 parallel changes, in order and without gaps', async () => {
    const tenants = new TestTenants(store());
    const before = await store().tenants.revision();
    const changes = Promise.all(Array.from({ length: 20 }, (_, i) => tenants.register(`t${i}`, [`-${i}`])));

    const seen: TenantId[] = [];
    for (let revision = before; seen.length < 20;) {
      const page = await store().tenants.changesSince(revision, 3);
      // As each tenant changes once, a page that holds fewer than the revisions that it covers has missed some.
      expect(page.revision - revision).toBe(page.changed.length);
      seen.push(...page.changed.map(({ id }) => id));
      revision = page.revision;
    }
    await changes;

    expect(new Set(seen).size).toBe(20);
    expect(await store().tenants.revision()).toBe(before + 20);
  });
}

function describeActions(store: () => Store): void {
  it('tell of each change, who made it and what came of it', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-a'], { pool: STANDARD, tier: 'premium' });
    await tenants.replace('a', ['-a', '-b*'], { pool: STANDARD });
    await tenants.replace('a', ['-a', '-b*'], { pool: PREMIUM, isolationLevel: 'session' }, { drainMs: 1000 });
    await tenants.remove('a');

    const [a, b] = [`${tenants.prefix}-a`, `${tenants.prefix}-b*`];
    const common = { tenantId: tenants.id('a'), userId: 'tester', resource: `tenant:${tenants.id('a')}` };
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
    const detail = { source: 'api', patterns: `${a} ${b}`, pattern_count: 2 };
    expect(await tenants.records('a')).toMatchObject([
      {
        ...common,
        timestamp: at(0),
        action: 'tenant.register',
        namespace: a,
        result: 'success',
        detail: { version: 1, patterns: a, pattern_count: 1, pool: 'standard', tier: 'premium' },
      },
      {
        ...common,
        timestamp: at(5),
        requestId: 'request-5',
        action: 'tenant.replace',
        detail: { ...detail, version: 2 },
      },
      {
        ...common,
        timestamp: at(5),
        action: 'tenant.move',
        detail: { ...detail, version: 3, from_pool: 'standard', to_pool: 'premium', isolation_level: 'session' },
      },
      { ...common, timestamp: at(9), action: 'tenant.remove', requestId: 'request-9', detail: { version: 3 } },
    ]);
  });

  it('tell nothing of changes that were rejected', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('other', ['-a']);

    await Promise.allSettled([tenants.register('a', ['-a']), tenants.replace('a', ['-b']), tenants.remove('a')]);

    expect(await tenants.records('a')).toEqual([]);
  });
}
