import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  formatResourceId,
  type AttributeReference,
  type Filter,
  type JsonObject,
  type ResourceId,
  type ResourceQuery,
  type ResourceType,
} from '@palisade/domain';
import { bindSortAttribute, compareValues, matches, sortValue } from '@palisade/scim';
import { BADGE_URN } from './support/badge-extension.js';
import { texts, userBodies } from './support/document-arbitraries.js';
import { draftOf, schemaOf } from './support/drafts.js';
import { GROUP_SCOPE, USER_SCOPE, filtersOver, forProvider } from './support/filter-arbitraries.js';
import { changeAt } from './support/store-harness.js';
import type { TestDirectory } from './support/test-directory.js';
import { runs } from '../../../test/support/effort.js';

const TIMEOUT_MS = 120_000;

/** A store selects and sorts exactly as `matches` and `sortValue` of the protocol engine do over search documents. */
export function describeFilterParityContract(createDirectory: () => TestDirectory): void {
  describe('agreement with the protocol engine', () => {
    it(
      'selects the users that match, whatever they hold and whatever is asked',
      async () => {
        const users = fc.array(fc.record({ body: userBodies, isInner: fc.boolean(), isOuter: fc.boolean() }), {
          minLength: 4,
          maxLength: 8,
        });
        const filters = fc.array(filtersOver(USER_SCOPE), { minLength: 40, maxLength: 40 });
        await fc.assert(
          fc.asyncProperty(users, filters, async (users, filters) => {
            const directory = createDirectory();
            const documents = await createUsers(directory, users);
            await expectAgreement(directory, 'User', documents, filters);
          }),
          { numRuns: runs(25) },
        );
      },
      TIMEOUT_MS,
    );

    it(
      'selects the groups that match, whoever their members are',
      async () => {
        const groups = fc.array(fc.record({ displayName: texts, members: fc.subarray([...MEMBERS]) }), {
          minLength: 2,
          maxLength: 5,
        });
        const filters = fc.array(filtersOver(GROUP_SCOPE), { minLength: 40, maxLength: 40 });
        await fc.assert(
          fc.asyncProperty(groups, filters, async (groups, filters) => {
            const directory = createDirectory();
            const documents = await createGroups(directory, groups);
            await expectAgreement(directory, 'Group', documents, filters);
          }),
          { numRuns: runs(12) },
        );
      },
      TIMEOUT_MS,
    );

    it(
      'sorts users as their values compare',
      async () => {
        const users = fc.array(
          userBodies.map((body) => ({ body, isInner: false, isOuter: false })),
          { minLength: 2, maxLength: 8 },
        );
        await fc.assert(
          fc.asyncProperty(users, async (users) => {
            const directory = createDirectory();
            const documents = await createUsers(directory, users);
            await expectSameOrder(directory, documents);
          }),
          { numRuns: runs(6) },
        );
      },
      TIMEOUT_MS,
    );
  });
}

/** What filters see of each resource, in order of creation. */
type Documents = ReadonlyMap<ResourceId, JsonObject>;

async function expectAgreement(
  directory: TestDirectory,
  type: ResourceType,
  documents: Documents,
  filters: readonly Filter[],
): Promise<void> {
  for (const pattern of filters) {
    const filter = forProvider(pattern, directory.provider);
    const expected = [...documents].filter(([, document]) => matches(filter, document)).map(([id]) => id);
    const selected = await select(directory, { selections: [{ type, filter }], order: 'created' });
    expect({ filter, selected }).toEqual({ filter, selected: expected });
  }
}

const SORT_PATHS = [
  'title',
  'active',
  'emails.value',
  'emails.type',
  'name.givenName',
  'profileUrl',
  ...['code', 'level', 'weight', 'lost', 'issued', 'tags', 'floors', 'visits.at', 'visits.minutes'].map(
    (name) => `${BADGE_URN}:${name}`,
  ),
];

async function expectSameOrder(directory: TestDirectory, documents: Documents): Promise<void> {
  for (const path of SORT_PATHS) {
    const sortBy = bindSortAttribute(path, schemaOf('User'));
    for (const order of ['ascending', 'descending'] as const) {
      const sorted = await select(directory, { selections: [{ type: 'User', sortBy }], order });
      expect({ path, order, sorted }).toEqual({ path, order, sorted: sortedIds(documents, sortBy, order) });
    }
  }
}

function sortedIds(documents: Documents, sortBy: AttributeReference, order: 'ascending' | 'descending'): ResourceId[] {
  const rows = Array.from(documents, ([id, document]) => ({ id, value: sortValue(document, sortBy) }));
  const withoutValue = rows.filter(({ value }) => value === null);
  const withValue = rows.filter(({ value }) => value !== null);
  const direction = order === 'ascending' ? 1 : -1;
  withValue.sort((a, b) => direction * compareValues(a.value ?? '', b.value ?? ''));
  return (order === 'ascending' ? [...withValue, ...withoutValue] : [...withoutValue, ...withValue]).map(
    ({ id }) => id,
  );
}

async function select(
  { store, provider }: TestDirectory,
  query: Pick<ResourceQuery, 'selections' | 'order'>,
): Promise<ResourceId[]> {
  const page = { kind: 'index', startIndex: 1, count: 1000 } as const;
  return (await store.directory.list(provider, { ...query, page, include: {} })).items.map(({ id }) => id);
}

interface UserSample {
  readonly body: JsonObject;
  readonly isInner: boolean;
  readonly isOuter: boolean;
}

/** Users `u0`, `u1` …, every second one with an external id, in group `g0` and in group `g1`, which contains `g0`. */
async function createUsers(directory: TestDirectory, users: readonly UserSample[]): Promise<Documents> {
  const { store, provider } = directory;
  const documents = new Map<ResourceId, JsonObject>();
  for (const [index, { body, isInner, isOuter }] of users.entries()) {
    const id = directory.userId(`u${index}`);
    const externalId: JsonObject = index % 2 === 0 ? { externalId: `e${index}` } : {};
    const draft = draftOf('User', { ...body, ...externalId, userName: `${index}${String(body.title ?? '')}` });
    await store.directory.create(provider, 'User', id, draft, changeAt(index));
    const groups = groupsOf(directory, isInner, isOuter);
    documents.set(id, { ...draft.search, id, ...externalId, meta: metaOf('User', index), groups });
  }
  const idsWhere = (predicate: (user: UserSample) => boolean): ResourceId[] =>
    users.flatMap((user, index) => (predicate(user) ? [directory.userId(`u${index}`)] : []));
  await directory.create('Group', 'g0', { displayName: 'Inner' }, { members: idsWhere(({ isInner }) => isInner) });
  await directory.create(
    'Group',
    'g1',
    { displayName: 'Outer' },
    { members: [directory.groupId('g0'), ...idsWhere(({ isOuter }) => isOuter)] },
  );
  return documents;
}

function groupsOf(directory: TestDirectory, isInner: boolean, isOuter: boolean): JsonObject[] {
  return [
    ...(isInner ? [{ value: directory.groupId('g0'), display: 'inner', type: 'direct' }] : []),
    ...(isInner || isOuter
      ? [{ value: directory.groupId('g1'), display: 'outer', type: isOuter ? 'direct' : 'indirect' }]
      : []),
  ];
}

/** Those that a group may have in the test for groups: users with and without a display name, a group, and one that does not exist. */
const MEMBERS = [
  { type: 'User', localId: 'u0', display: 'u0' },
  { type: 'User', localId: 'u1', display: 'é%' },
  { type: 'Group', localId: 'leaf', display: 'inner' },
  { type: 'User', localId: 'nobody' },
] as const;

interface GroupSample {
  readonly displayName: string;
  readonly members: readonly (typeof MEMBERS)[number][];
}

/** Groups `g0`, `g1` … after the group `leaf` that they may have as a member. */
async function createGroups(directory: TestDirectory, groups: readonly GroupSample[]): Promise<Documents> {
  const { store, provider } = directory;
  const documents = new Map<ResourceId, JsonObject>();
  const create = async (localId: string, { displayName, members }: GroupSample, second: number): Promise<void> => {
    const id = directory.groupId(localId);
    const draft = draftOf('Group', { displayName });
    const ids = members.map((member) => formatResourceId(member.type, provider, member.localId));
    const options = { members: ids, unknownMembers: 'accept' } as const;
    await store.directory.create(provider, 'Group', id, draft, changeAt(second), options);
    const searchable = members.map((member, index) => ({
      value: ids[index] ?? '',
      type: member.type.toLowerCase(),
      ...('display' in member && { display: member.display }),
    }));
    documents.set(id, { ...draft.search, id, meta: metaOf('Group', second), members: searchable });
  };
  await directory.createUser('u0');
  await directory.createUser('u1', { displayName: 'E\u0301%' });
  await create('leaf', { displayName: 'Inner', members: [] }, 0);
  for (const [index, group] of groups.entries()) {
    await create(`g${index}`, group, index);
  }
  return documents;
}

function metaOf(resourceType: ResourceType, second: number): JsonObject {
  const at = changeAt(second).at.toISOString();
  return { resourceType, created: at, lastModified: at };
}
