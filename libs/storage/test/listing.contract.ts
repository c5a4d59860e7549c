import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  MAX_FEW_MEMBERS,
  MAX_GROUPS_PER_PAGE,
  MAX_GROUP_MEMBERS,
  type GroupId,
  type ResourceQuery,
} from '@palisade/domain';
import { bindSortAttribute } from '@palisade/scim';
import { BADGE_URN } from './support/badge-extension.js';
import { schemaOf } from './support/drafts.js';
import { filterOf, queryFor, walkPages } from './support/queries.js';
import { changeAt } from './support/store-harness.js';
import { localIdOf, type TestDirectory } from './support/test-directory.js';

/** What a query lists, and in which order. */
export function describeListingContract(createDirectory: () => TestDirectory): void {
  describe('listing', () => {
    describe('order', () => describeOrder(createDirectory));
    describe('several resource types', () => describeMixedSelections(createDirectory));
    describe('inclusion', () => describeInclusion(createDirectory));
  });
}

function describeOrder(createDirectory: () => TestDirectory): void {
  let directory: TestDirectory;

  beforeAll(async () => {
    directory = createDirectory();
    await directory.createUser('none', { userName: 'm' });
    await directory.createUser('zed', {
      userName: 'Z',
      title: 'b',
      emails: [{ value: 'z@example.com' }, { value: 'A@example.com', primary: true }],
      [BADGE_URN]: { level: 10, lost: true, issued: '2026-01-01T12:00:00+02:00', tags: ['b', 'a'] },
    });
    await directory.createUser('abe', {
      userName: 'a',
      title: 'B',
      emails: [{ value: 'c@example.com', primary: false }, { value: 'a@example.com' }],
      [BADGE_URN]: { level: 9, lost: false, issued: '2026-01-01T11:00:00Z', tags: ['c'] },
    });
    await directory.createUser('moe', {
      userName: 'M2',
      title: '\u{1F600}',
      emails: [{ value: 'B@example.com' }],
      [BADGE_URN]: { level: -1 },
    });
    await directory.createUser('ned', { userName: '\uFA0E', title: '\uFA0E', emails: [{ type: 'work' }] });
  });

  it('lists in order of creation when no order is asked for', async () => {
    expect(await directory.list({})).toEqual(['none', 'zed', 'abe', 'moe', 'ned']);
  });

  const cases: [sortBy: string, ascending: string[], descending: string[]][] = [
    ['userName', ['abe', 'none', 'moe', 'zed', 'ned'], ['ned', 'zed', 'moe', 'none', 'abe']],
    ['title', ['zed', 'abe', 'ned', 'moe', 'none'], ['none', 'moe', 'ned', 'zed', 'abe']],
    ['emails.value', ['zed', 'moe', 'abe', 'none', 'ned'], ['none', 'ned', 'abe', 'moe', 'zed']],
    ['emails', ['zed', 'moe', 'abe', 'none', 'ned'], ['none', 'ned', 'abe', 'moe', 'zed']],
    [`${BADGE_URN}:level`, ['moe', 'abe', 'zed', 'none', 'ned'], ['none', 'ned', 'zed', 'abe', 'moe']],
    [`${BADGE_URN}:lost`, ['abe', 'zed', 'none', 'moe', 'ned'], ['none', 'moe', 'ned', 'zed', 'abe']],
    [`${BADGE_URN}:issued`, ['zed', 'abe', 'none', 'moe', 'ned'], ['none', 'moe', 'ned', 'abe', 'zed']],
    [`${BADGE_URN}:tags`, ['zed', 'abe', 'none', 'moe', 'ned'], ['none', 'moe', 'ned', 'abe', 'zed']],
    ['externalId', ['abe', 'moe', 'ned', 'none', 'zed'], ['zed', 'none', 'ned', 'moe', 'abe']],
    ['id', ['abe', 'moe', 'ned', 'none', 'zed'], ['zed', 'none', 'ned', 'moe', 'abe']],
    ['meta.resourceType', ['none', 'zed', 'abe', 'moe', 'ned'], ['none', 'zed', 'abe', 'moe', 'ned']],
  ];

  it.each(cases)('[RFC7644-3.4.2.3] sorts by %s', async (sortBy, ascending, descending) => {
    expect(await directory.list({ sortBy })).toEqual(ascending);
    expect(await directory.list({ sortBy, order: 'descending' })).toEqual(descending);
  });

  it('[RFC7644-3.4.2.3] sorts by times of creation and change', async () => {
    const own = createDirectory();
    for (const [name, second] of [
      ['late', 9],
      ['early', 1],
      ['middle', 5],
    ] as const) {
      const draft = { attributes: { userName: name }, search: { userName: name } };
      await own.store.directory.create(own.provider, 'User', own.userId(name), draft, changeAt(second));
    }
    await own.revise('User', 'middle', { userName: 'middle', title: 'x' }, 20);

    expect(await own.list({ sortBy: 'meta.created' })).toEqual(['early', 'middle', 'late']);
    expect(await own.list({ sortBy: 'meta.lastModified', order: 'descending' })).toEqual(['middle', 'late', 'early']);
  });

  it('sorts what a filter selects', async () => {
    expect(await directory.list({ filter: 'title pr and userName lt "n"', sortBy: 'userName' })).toEqual([
      'abe',
      'moe',
    ]);
  });

  it('keeps the place of a resource in the order of creation when it changes', async () => {
    const own = createDirectory();
    await own.createUser('first');
    await own.createUser('second');

    await own.revise('User', 'first', { externalId: 'first', userName: 'changed' });

    expect(await own.list({})).toEqual(['first', 'second']);
  });
}

function describeMixedSelections(createDirectory: () => TestDirectory): void {
  let directory: TestDirectory;

  beforeAll(async () => {
    directory = createDirectory();
    await directory.createUser('ann', { displayName: 'Staff', title: 'x' });
    await directory.createGroup('g1');
    await directory.createUser('bob', { title: 'a' });
    await directory.create('Group', 'g2', { displayName: 'Staff' });
  });

  function bothTypes(
    overrides: Partial<ResourceQuery>,
    filter?: string,
    sortBy?: 'displayName' | 'title',
  ): ResourceQuery {
    const isForGroups = sortBy === 'displayName';
    return {
      selections: [
        {
          type: 'User',
          ...(filter !== undefined && { filter: filterOf('User', filter) }),
          ...(sortBy !== undefined && { sortBy: bindSortAttribute(sortBy, schemaOf('User')) }),
        },
        {
          type: 'Group',
          ...(filter !== undefined && { filter: filterOf('Group', filter) }),
          ...(isForGroups && { sortBy: bindSortAttribute(sortBy, schemaOf('Group')) }),
        },
      ],
      order: 'created',
      page: { kind: 'index', startIndex: 1, count: 100 },
      include: {},
      ...overrides,
    };
  }

  async function ids(query: ResourceQuery): Promise<string[]> {
    const { items } = await directory.store.directory.list(directory.provider, query);
    return items.map(({ id }) => localIdOf(id));
  }

  it('[RFC7644-3.4.2.1] lists users and groups together, in order of creation', async () => {
    expect(await ids(bothTypes({}))).toEqual(['ann', 'g1', 'bob', 'g2']);
  });

  it('counts and cuts over both types', async () => {
    const query = bothTypes({ page: { kind: 'index', startIndex: 2, count: 2 } });

    expect(await directory.store.directory.list(directory.provider, query)).toMatchObject({
      total: 4,
      items: [{ type: 'Group' }, { type: 'User' }],
    });
  });

  it('[RFC7644-3.4.2.1] filters each type; what a type lacks has no value there', async () => {
    expect(await ids(bothTypes({}, 'displayName eq "staff"'))).toEqual(['ann', 'g2']);
    expect(await ids(bothTypes({}, 'title eq "a"'))).toEqual(['bob']);
    expect(await ids(bothTypes({}, 'title ne "a"'))).toEqual(['ann', 'g1', 'g2']);
    expect(await ids(bothTypes({}, 'not (title pr)'))).toEqual(['g1', 'g2']);
    expect(await ids(bothTypes({}, 'meta.resourceType eq "Group"'))).toEqual(['g1', 'g2']);
  });

  it('[RFC7644-3.4.2.3] sorts both types by an attribute that both have', async () => {
    expect(await ids(bothTypes({ order: 'ascending' }, undefined, 'displayName'))).toEqual(['g1', 'ann', 'g2', 'bob']);
    expect(await ids(bothTypes({ order: 'descending' }, undefined, 'displayName'))).toEqual(['bob', 'ann', 'g2', 'g1']);
  });

  it('[RFC7644-3.4.2.3] takes a type that lacks the sort attribute for one without a value', async () => {
    expect(await ids(bothTypes({ order: 'ascending' }, undefined, 'title'))).toEqual(['bob', 'ann', 'g1', 'g2']);
    expect(await ids(bothTypes({ order: 'descending' }, undefined, 'title'))).toEqual(['g1', 'g2', 'ann', 'bob']);
  });

  it.each(['created', 'ascending', 'descending'] as const)('pages by cursor over both types: %s', async (order) => {
    const query = bothTypes({ order }, undefined, order === 'created' ? undefined : 'displayName');

    const pages = await walkPages(directory.store, directory.provider, query, 1);

    expect(pages.flat().map(localIdOf)).toEqual(await ids(query));
  });
}

function describeInclusion(createDirectory: () => TestDirectory): void {
  it('includes groups and members when asked to', async () => {
    const directory = createDirectory();
    const ann = await directory.createUser('ann', { displayName: 'Ann' });
    const inner = await directory.createGroup('inner', [ann.id]);
    const outer = await directory.createGroup('outer', [inner.id]);
    const { store, provider } = directory;
    const include = { groups: true, members: true };

    const users = await store.directory.list(provider, queryFor({ include }));
    const groups = await store.directory.list(provider, queryFor({ type: 'Group', include }));

    expect(users.items).toEqual([
      {
        ...ann,
        groups: [
          { id: inner.id, display: 'inner', direct: true },
          { id: outer.id, display: 'outer', direct: false },
        ],
      },
    ]);
    expect(groups.items).toEqual([
      { ...inner, members: [{ id: ann.id, display: 'Ann' }] },
      { ...outer, members: [{ id: inner.id, display: 'inner' }] },
    ]);
  });

  it('leaves groups and members out when not asked to', async () => {
    const directory = createDirectory();
    const ann = await directory.createUser('ann');
    const group = await directory.createGroup('g1', [ann.id]);
    const { store, provider } = directory;

    expect((await store.directory.list(provider, queryFor({}))).items).toEqual([ann]);
    expect((await store.directory.list(provider, queryFor({ type: 'Group' }))).items).toEqual([group]);
  });

  it('ends a page early rather than load more members than one group may have', async () => {
    const directory = createDirectory();
    const half = MAX_GROUP_MEMBERS / 2 + 1;
    const ids = Array.from({ length: half }, (_, index) => directory.userId(`u${index}`));
    await directory.createGroup('g1', ids, { unknownMembers: 'accept' });
    await directory.createGroup('g2', ids, { unknownMembers: 'accept' });
    const query = queryFor({ type: 'Group', include: { members: true } });

    const pages = await walkPages(directory.store, directory.provider, query, 10);

    expect(pages).toEqual([[directory.groupId('g1')], [directory.groupId('g2')]]);
  }, 120_000);

  it('includes the groups of every user on a page, whatever they share', async () => {
    const directory = createDirectory();
    const [u1, u2, u3] = await directory.createFiveUsers();
    await directory.createGroup('b', [u1, u2]);
    await directory.createGroup('a', [directory.groupId('b'), u3]);
    await directory.createGroup('c', [directory.groupId('b'), directory.groupId('a'), u2]);
    const query = queryFor({ sortBy: 'userName', order: 'descending', include: { groups: true } });

    const { items } = await directory.store.directory.list(directory.provider, query);

    const entries = items.map((user) => (user.type === 'User' ? user.groups : undefined));
    expect(entries.map((groups) => groups?.map(({ display, direct }) => `${display} ${direct}`))).toEqual([
      [],
      [],
      ['a true', 'c false'],
      ['a false', 'b true', 'c true'],
      ['a false', 'b true', 'c false'],
    ]);
  });

  it('ends a page before its attributes exceed the bytes that a page may have', async () => {
    const directory = createDirectory();
    const { store, provider } = directory;
    const emails = Array.from({ length: 4 }, (_, index) => ({ value: `${index}${'é'.repeat(30_000)}` }));
    for (let index = 0; index < 9; index++) {
      await directory.createUser(`u${index}`, { emails });
    }

    const pages = await walkPages(store, provider, queryFor({}), 10);
    const { items, total } = await store.directory.list(provider, queryFor({}));

    expect(pages.map((page) => page.length)).toEqual([4, 4, 1]);
    expect([items.length, total]).toEqual([4, 9]);
  });

  it('leaves the members of a large group out when few are asked for, and lists them by id', async () => {
    const directory = createDirectory();
    const { store, provider } = directory;
    const names = Array.from({ length: MAX_FEW_MEMBERS + 1 }, (_, index) => `u${String(index).padStart(5, '0')}`);
    await Promise.all(names.map((name) => directory.createUser(name)));
    const ids = names.map((name) => directory.userId(name));
    const { id: large } = await directory.createGroup('large', ids.toReversed());
    const { id: small } = await directory.createGroup('small', ids.slice(0, 2));

    const found = await Promise.all(
      [large, small].map((id) => store.directory.find(provider, 'Group', id, { members: 'few' })),
    );
    const listed = await store.directory.list(provider, queryFor({ type: 'Group', include: { members: 'few' } }));
    const first = await store.directory.listMembers(provider, large as GroupId, 600);
    const second = await store.directory.listMembers(provider, large as GroupId, 600, first.next);

    expect(found.map((group) => [group?.memberCount, group?.members?.length])).toEqual([
      [MAX_FEW_MEMBERS + 1, undefined],
      [2, 2],
    ]);
    expect(listed.items.map((group) => group.type === 'Group' && group.members?.length)).toEqual([undefined, 2]);
    expect([first.next, second.next]).toEqual([ids[599], undefined]);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect(first.items[0]).toEqual({ id: ids[0], display: 'u00000' });
  });

  it('lists no members of a group that there is not', async () => {
    const directory = createDirectory();
    const nobody = directory.groupId('nobody');
    expect(await directory.store.directory.listMembers(directory.provider, nobody, 10)).toEqual({ items: [] });
  });

  it('ends a page early rather than load more groups of users than a page may have', async () => {
    const directory = createDirectory();
    const { store, provider } = directory;
    const users = Array.from({ length: 60 }, (_, index) => `u${index}`);
    await Promise.all(users.map((name) => directory.createUser(name)));
    const ids = users.map((name) => directory.userId(name));
    const { id: inner } = await directory.createGroup('inner', ids);
    await Promise.all(Array.from({ length: 399 }, (_, index) => directory.createGroup(`outer${index}`, [inner])));
    const query = queryFor({ include: { groups: true }, sortBy: 'id' });

    const pages = await walkPages(store, provider, query, 55);
    const firstPage = await store.directory.list(provider, query);

    const usersPerPage = MAX_GROUPS_PER_PAGE / 400;
    expect(pages.map((page) => page.length)).toEqual([usersPerPage, usersPerPage, 60 - 2 * usersPerPage]);
    expect(new Set(pages.flat())).toEqual(new Set(ids));
    expect(firstPage.items).toHaveLength(usersPerPage);
    expect(firstPage.total).toBe(60);
  }, 120_000);
}
