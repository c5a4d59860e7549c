import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CursorPosition } from '@palisade/domain';
import { BADGE_URN } from './support/badge-extension.js';
import { queryFor, walkPages, type QueryOverrides } from './support/queries.js';
import { localIdOf, type TestDirectory } from './support/test-directory.js';

/** Pages of what a query lists. */
export function describePagingContract(createDirectory: () => TestDirectory): void {
  describe('paging', () => {
    describe('index pages', () => describeIndexPages(createDirectory));
    describe('cursor pages', () => describeCursorPages(createDirectory));
  });
}

function describeIndexPages(createDirectory: () => TestDirectory): void {
  let directory: TestDirectory;

  beforeAll(async () => {
    directory = createDirectory();
    for (let index = 1; index <= 5; index += 1) {
      await directory.createUser(`u${index}`, { title: index % 2 === 1 ? 'odd' : 'even' });
    }
  });

  async function page(startIndex: number, count: number, query: QueryOverrides = {}) {
    const request = queryFor({ ...query, page: { kind: 'index', startIndex, count } });
    const { total, items, next } = await directory.store.directory.list(directory.provider, request);
    return { total, ids: items.map(({ id }) => localIdOf(id)), next };
  }

  it('[RFC7644-3.4.2.4] counts startIndex from 1 and gives the total of all pages', async () => {
    expect(await page(1, 2)).toEqual({ total: 5, ids: ['u1', 'u2'], next: undefined });
    expect(await page(3, 2)).toEqual({ total: 5, ids: ['u3', 'u4'], next: undefined });
    expect(await page(5, 2)).toEqual({ total: 5, ids: ['u5'], next: undefined });
  });

  it('gives an empty page beyond the end', async () => {
    expect(await page(6, 2)).toEqual({ total: 5, ids: [], next: undefined });
    expect(await page(Number.MAX_SAFE_INTEGER, 1000)).toEqual({ total: 5, ids: [], next: undefined });
  });

  it('[RFC7644-3.4.2.4] gives the total only when count is 0', async () => {
    expect(await page(1, 0)).toEqual({ total: 5, ids: [], next: undefined });
    expect(await page(1, 0, { filter: 'title eq "even"' })).toEqual({ total: 2, ids: [], next: undefined });
  });

  it('counts and cuts what a filter selects', async () => {
    expect(await page(2, 1, { filter: 'title eq "odd"' })).toEqual({ total: 3, ids: ['u3'], next: undefined });
  });

  it('cuts after sorting', async () => {
    const query: QueryOverrides = { sortBy: 'userName', order: 'descending' };

    expect(await page(2, 2, query)).toEqual({ total: 5, ids: ['u4', 'u3'], next: undefined });
  });
}

function describeCursorPages(createDirectory: () => TestDirectory): void {
  it('[RFC9865-2] follows next to the last page, which has none', async () => {
    const directory = createDirectory();
    for (const name of ['u1', 'u2', 'u3', 'u4']) {
      await directory.createUser(name);
    }
    const { store, provider } = directory;

    const pages = await walkPages(store, provider, queryFor({}), 2);

    expect(pages).toEqual([
      [directory.userId('u1'), directory.userId('u2')],
      [directory.userId('u3'), directory.userId('u4')],
    ]);
  });

  it('[RFC9865-2] gives the total with every page', async () => {
    const directory = createDirectory();
    await directory.createUser('u1');
    await directory.createUser('u2');
    const list = (after?: CursorPosition) =>
      directory.store.directory.list(directory.provider, queryFor({ page: { kind: 'cursor', after, count: 1 } }));

    const first = await list();
    const second = await list(first.next);

    expect([first.total, second.total]).toEqual([2, 2]);
  });

  it('gives the total only when count is 0', async () => {
    const directory = createDirectory();
    await directory.createUser('u1');
    const query = queryFor({ page: { kind: 'cursor', count: 0 } });

    expect(await directory.store.directory.list(directory.provider, query)).toMatchObject({ total: 1, items: [] });
  });

  it('ends at once when nothing is selected', async () => {
    const directory = createDirectory();
    const query = queryFor({ filter: 'title pr', page: { kind: 'cursor', count: 10 } });

    expect(await directory.store.directory.list(directory.provider, query)).toEqual({ total: 0, items: [] });
  });

  it('goes on after a position whose resource has been deleted', async () => {
    const directory = createDirectory();
    for (const name of ['u1', 'u2', 'u3']) {
      await directory.createUser(name);
    }
    const { store, provider } = directory;

    const pages = await walkPages(store, provider, queryFor({}), 1, async (pageNumber) => {
      if (pageNumber === 1) {
        await directory.delete('User', 'u1');
      }
    });

    expect(pages.flat()).toEqual(['u1', 'u2', 'u3'].map((name) => directory.userId(name)));
  });

  it.each([
    ['in order of creation', {}],
    ['selected by a filter', { filter: 'userName sw "stay" or userName sw "come" or userName sw "go"' }],
    ['sorted', { sortBy: 'title' }],
    ['sorted descending', { sortBy: 'title', order: 'descending' }],
  ] as const)(
    '[RFC9865-2] gives each of 250 resources once while others come and go: %s',
    async (_, overrides) => {
      const directory = createDirectory();
      const staying = Array.from({ length: 250 }, (_unused, index) => `stay${index}`);
      for (const [index, name] of staying.entries()) {
        await directory.createUser(name, index % 10 === 0 ? {} : { title: `t${(index * 7) % 5}` });
        if (index % 25 === 0) {
          await directory.createUser(`go${index}`, { title: `t${index % 5}` });
        }
      }
      const { store, provider } = directory;
      const query = queryFor(overrides);

      const pages = await walkPages(store, provider, query, 40, async (pageNumber) => {
        await directory.createUser(`come${pageNumber}`, { title: `t${pageNumber % 5}` });
        await directory.delete('User', `go${(pageNumber - 1) * 25}`);
      });

      const seen = pages
        .flat()
        .map(localIdOf)
        .filter((name) => name.startsWith('stay'));
      expect(seen.toSorted()).toEqual(staying.toSorted());
    },
    60_000,
  );

  it.each([
    ['userName', 'ascending'],
    ['userName', 'descending'],
    ['title', 'ascending'],
    ['title', 'descending'],
    [`${BADGE_URN}:level`, 'ascending'],
    [`${BADGE_URN}:level`, 'descending'],
    [`${BADGE_URN}:lost`, 'ascending'],
    [`${BADGE_URN}:lost`, 'descending'],
    ['emails.value', 'ascending'],
    ['meta.created', 'descending'],
  ] as const)('[RFC9865-2.2] gives in pages what it gives at once, sorted by %s, %s', async (sortBy, order) => {
    const directory = createDirectory();
    const titles = ['b', '', '\u{1F600}', '\uFA0E', 'B', 'a', null, 'b'];
    for (const [index, title] of titles.entries()) {
      await directory.createUser(`u${(index * 3) % 8}`, {
        title,
        emails: index % 3 === 0 ? [] : [{ value: `${(index * 5) % 8}@example.com` }],
        [BADGE_URN]: index % 4 === 0 ? null : { level: (index * 5) % 4, lost: index % 2 === 0 },
      });
    }
    const query = queryFor({ sortBy, order });
    const { store, provider } = directory;

    const atOnce = await directory.list({ sortBy, order });
    const pages = await walkPages(store, provider, query, 3);

    expect(pages.flat().map(localIdOf)).toEqual(atOnce);
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 2]);
  });
}
