import { describe, expect, it } from '@jest/globals';
import { formatResourceId, parseProviderId } from '@palisade/domain';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { Tables } from '../connection/tables.js';
import { withGroups } from './page-groups.js';
import type { ResourceOnPage } from './page-sql.js';

const PROVIDER = parseProviderId('p1');
const TOURS = formatResourceId('Group', PROVIDER, 'tours');

/** How many statements it takes to complete the rows, on a database that answers each with nothing. */
async function countStatements(rows: readonly ResourceOnPage[]): Promise<number> {
  let statements = 0;
  const connection = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: () => {
      statements += 1;
    },
  });
  await withGroups(connection, PROVIDER, rows);
  return statements;
}

function userRow(directGroups: ResourceOnPage['direct_groups']): ResourceOnPage {
  return {
    provider_id: PROVIDER,
    resource_type: 'User',
    id: formatResourceId('User', PROVIDER, 'ann'),
    external_id: null,
    attributes: {},
    member_count: 0,
    version: 1,
    created_at: new Date(0),
    modified_at: new Date(0),
    sequence: 1,
    sort_value: null,
    fetched: 1,
    total: 1,
    direct_groups: directGroups,
  };
}

describe(withGroups.name, () => {
  it('takes one statement however many users there are', async () => {
    expect(await countStatements([userRow([TOURS])])).toBe(1);
    expect(await countStatements(Array.from({ length: 100 }, () => userRow([TOURS])))).toBe(1);
  });

  it('takes none when nobody is in a group, or groups are not included', async () => {
    expect(await countStatements([userRow(null), userRow(null)])).toBe(0);
    expect(await countStatements([userRow(undefined)])).toBe(0);
  });
});
