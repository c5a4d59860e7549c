import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseProviderId, type ResourceQuery, type Store } from '@palisade/domain';
import { Client } from 'pg';
import { compileSql } from '../src/postgres/connection/kysely-connection.js';
import { pageStatement, totalStatement } from '../src/postgres/directory/page-sql.js';
import { PostgresStore } from '../src/postgres/postgres-store.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { insertUsers } from './support/bulk-users.js';
import { explain, indexesOf, sequentiallyRead, type PlanNode } from './support/plans.js';
import { queryFor, type QueryOverrides } from './support/queries.js';
import { changeAt } from './support/store-harness.js';
import { TestDirectory } from './support/test-directory.js';

const PROVIDERS = [parseProviderId('p1'), parseProviderId('p2')] as const;
const [PROVIDER] = PROVIDERS;
const USERS_PER_PROVIDER = 10_000;
const TIMEOUT_MS = 120_000;

const FIRST_PAGE = { kind: 'index', startIndex: 1, count: 100 } as const;

/** Queries with the index that must find or order the resources. */
const QUERIES: readonly (readonly [title: string, query: QueryOverrides, index: string])[] = [
  ['userName eq', { filter: 'userName eq "user77@example.com"' }, 'resources_user_name_key'],
  ['userName sw', { filter: 'userName sw "user77"' }, 'resources_user_name_key'],
  ['id eq', { filter: 'id eq "user:scim:p1:e77"' }, 'resources_pkey'],
  ['externalId eq', { filter: 'externalId eq "e77"' }, 'resources_external_id_key'],
  ['displayName eq', { filter: 'displayName eq "Given77"' }, 'resources_display_name_idx'],
  ['emails.value eq', { filter: 'emails.value eq "user77@example.com"' }, 'resources_search_idx'],
  [
    'emails[type eq and value eq]',
    { filter: 'emails[type eq "work" and value eq "user77@example.com"]' },
    'resources_search_idx',
  ],
  [
    'a lookup beside a condition without an index',
    { filter: 'title co "engineer" and emails.value eq "user77@example.com"' },
    'resources_search_idx',
  ],
  [
    'alternatives of lookups',
    { filter: 'emails.value eq "user7@example.com" or phoneNumbers.value eq "7"' },
    'resources_search_idx',
  ],
  ['meta.lastModified gt', { filter: 'meta.lastModified gt "2026-01-01T00:00:58Z"' }, 'resources_modified_at_idx'],
  ['meta.created gt', { filter: 'meta.created gt "2026-01-01T00:00:58Z"' }, 'resources_created_at_idx'],
  ['members.value eq', { type: 'Group', filter: 'members.value eq "user:scim:p1:e77"' }, 'memberships_member_idx'],
  ['groups.value eq', { filter: 'groups.value eq "group:scim:p1:g7"' }, 'memberships_pkey'],
  ['no filter', {}, 'resources_sequence_key'],
  ['a page far behind', { page: { ...FIRST_PAGE, startIndex: 9_001 } }, 'resources_sequence_key'],
  ['sortBy userName', { sortBy: 'userName' }, 'resources_user_name_key'],
  ['sortBy userName, descending', { sortBy: 'userName', order: 'descending' }, 'resources_user_name_key'],
  ['sortBy displayName', { sortBy: 'displayName' }, 'resources_display_name_idx'],
  ['sortBy meta.lastModified', { sortBy: 'meta.lastModified' }, 'resources_modified_at_idx'],
  ['a cursor', { page: { kind: 'cursor', after: { sequence: 5_000 }, count: 100 } }, 'resources_sequence_key'],
  [
    'a cursor, sorted',
    {
      sortBy: 'userName',
      page: { kind: 'cursor', after: { sequence: 5_000, sortValue: 'user5000@example.com' }, count: 100 },
    },
    'resources_user_name_key',
  ],
];

describe('plans of the postgres store', () => {
  let database: ScratchDatabase;
  let store: Store;
  let client: Client;

  beforeAll(async () => {
    database = await createScratchDatabase();
    store = new PostgresStore(database.url);
    await store.migrate();
    client = new Client({ connectionString: database.url });
    await client.connect();
    for (const provider of PROVIDERS) {
      await insertUsers(client, provider, USERS_PER_PROVIDER);
    }
    await createGroups(new TestDirectory(store, PROVIDER));
    await client.query('vacuum analyze');
  }, TIMEOUT_MS);

  afterAll(async () => {
    await client.end();
    await store.close();
    await database.drop();
  });

  it.each(QUERIES)('reads an index and never all resources: %s', async (_, overrides, index) => {
    const query = queryFor({ page: FIRST_PAGE, ...overrides });
    const nodes = await explainPage(client, query);

    // There are few counts; they may be read in any way.
    expect(sequentiallyRead(nodes).filter((relation) => relation !== 'resource_counts')).toEqual([]);
    expect(indexesOf(nodes)).toContain(index);
  });

  it('gives the total of all resources of a provider without looking at them', async () => {
    const { sql, parameters } = compileSql(totalStatement(PROVIDER, queryFor({})));
    const nodes = await explain(client, sql, parameters);

    expect(nodes.flatMap((node) => node['Relation Name'] ?? [])).toEqual(['resource_counts']);
  });

  it.each(['index', 'cursor'] as const)('makes one plan for all %s pages of everything', async (kind) => {
    const page = kind === 'index' ? FIRST_PAGE : ({ kind, after: { sequence: 1 }, count: 100 } as const);
    const { sql, parameters } = compileSql(pageStatement(PROVIDER, queryFor({ page })));
    for (let execution = 1; execution <= 8; execution++) {
      await client.query({ name: `every-${kind}-page`, text: sql, values: [...parameters] });
    }

    const { rows } = await client.query('select generic_plans from pg_prepared_statements where name = $1', [
      `every-${kind}-page`,
    ]);
    expect(rows).toEqual([{ generic_plans: '3' }]);
  });

  it('finds a place far behind in an index alone', async () => {
    const nodes = await explainPage(client, queryFor({ page: { ...FIRST_PAGE, startIndex: 9_001 } }));

    expect(nodes.map((node) => node['Node Type'])).toContain('Index Only Scan');
  });

  it('selects what it should', async () => {
    const directory = new TestDirectory(store, PROVIDER);

    expect(await directory.usersWhere('emails[type eq "work" and value eq "user77@example.com"]')).toEqual(['e77']);
    expect(await directory.usersWhere('userName sw "user77"')).toHaveLength(111);
    expect(await directory.groupsWhere('members.value eq "user:scim:p1:e77"')).toEqual(['g77']);
  });
});

async function explainPage(client: Client, query: ResourceQuery): Promise<PlanNode[]> {
  const { sql, parameters } = compileSql(pageStatement(PROVIDER, query));
  return explain(client, sql, parameters);
}

/** 200 groups `g1`, `g2` … of 50 users, each user in one of them. */
async function createGroups(directory: TestDirectory): Promise<void> {
  const { store, provider } = directory;
  for (let group = 0; group < 200; group++) {
    const members = Array.from({ length: 50 }, (_, index) => directory.userId(`e${index * 200 + group}`));
    await store.directory.create(
      provider,
      'Group',
      directory.groupId(`g${group}`),
      { attributes: { displayName: `g${group}` }, search: { displayName: `g${group}` } },
      changeAt(0),
      { members, unknownMembers: 'accept' },
    );
  }
}
