import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNamespacePattern, parseTenantId, type Store } from '@palisade/domain';
import { Client } from 'pg';
import { PostgresStore } from '../src/postgres/postgres-store.js';
import { LONGER_CANDIDATES, SHORTER_CANDIDATES } from '../src/postgres/tenancy/pattern-overlap.js';
import { CHANGES } from '../src/postgres/tenancy/tenant-changes.js';
import { prefixesOf } from '../src/tenant-content.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { explain, explainGeneric, indexesOf, pagesRead, sequentiallyRead } from './support/plans.js';
import { changeAt } from './support/store-harness.js';
import { tenantDraft } from './support/tenancy-samples.js';

const TENANTS = 100_000;
const TIMEOUT_MS = 120_000;

/** Each a statement with the number of its parameters and the index that must serve it, whatever they are. */
const STATEMENTS: readonly (readonly [title: string, text: string, parameterCount: number, index: string])[] = [
  ['patterns that begin with less', SHORTER_CANDIDATES, 2, 'tenant_patterns_pkey'],
  ['patterns that begin with more', LONGER_CANDIDATES, 4, 'tenant_patterns_pkey'],
  ['changes since a revision', CHANGES, 2, 'tenants_revision_key'],
  ['removals since a revision', CHANGES, 2, 'tenant_removals_revision_key'],
];

const QUERIES: readonly (readonly [title: string, text: string, parameters: readonly unknown[], index: string])[] = [
  ['a page of tenants', 'select * from tenants where id > $1 order by id limit 100', ['t5'], 'tenants_pkey'],
  [
    'a page of the tenants of a pool',
    'select * from tenants where pool = $1 and id > $2 order by id limit 100',
    ['pool7', 't5'],
    'tenants_pool_idx',
  ],
  [
    'a page of the log',
    'select * from log_records where position > $1 order by position limit 100',
    [5000],
    'log_records_position_idx',
  ],
  [
    'log records of a tenant',
    'select * from log_records where tenant_id = $1 order by position limit 100',
    ['t77'],
    'log_records_tenant_idx',
  ],
  [
    'log records of namespaces',
    'select * from log_records where namespace = any($1::text[]) order by position limit 100',
    [['n77', 'n78']],
    'log_records_namespace_idx',
  ],
  [
    'log records of a rare action',
    'select * from log_records where action = $1 order by position limit 100',
    ['loadbalancer.reload'],
    'log_records_action_idx',
  ],
];

describe('plans of the registry of tenants', () => {
  let database: ScratchDatabase;
  let store: Store;
  let client: Client;

  beforeAll(async () => {
    database = await createScratchDatabase();
    store = new PostgresStore(database.url);
    await store.migrate();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await insertTenants(client, TENANTS);
    await client.query('vacuum analyze');
  }, TIMEOUT_MS);

  afterAll(async () => {
    await client.end();
    await store.close();
    await database.drop();
  });

  it.each(STATEMENTS)(
    'never reads all rows, whatever the parameters are: %s',
    async (_, text, parameterCount, index) => {
      const nodes = await explainGeneric(client, text, parameterCount);

      expect(sequentiallyRead(nodes).filter((relation) => relation !== 'registry')).toEqual([]);
      expect(indexesOf(nodes)).toContain(index);
    },
  );

  it.each(QUERIES)('reads an index: %s', async (_, text, parameters, index) => {
    const nodes = await explain(client, text, parameters);

    expect(sequentiallyRead(nodes)).toEqual([]);
    expect(indexesOf(nodes)).toContain(index);
  });

  it('looks at few pages to tell that a name or a prefix is free among 100,000', async () => {
    const name = 'n999999999';

    expect(await pagesRead(client, SHORTER_CANDIDATES, ['late', prefixesOf(name)])).toBeLessThan(100);
    expect(await pagesRead(client, LONGER_CANDIDATES, ['late', 'p', 'p~', 'p~'])).toBeLessThan(100);
  });

  it('finds an overlap of whatever shape', async () => {
    for (const pattern of ['n77', 'n7*', '*77', '?77', '*']) {
      const registration = store.tenants.register(parseTenantId('late'), 'api', tenantDraft([pattern]), changeAt(0));
      await expect(registration).rejects.toMatchObject({
        code: 'NAMESPACE_OVERLAP',
        pattern: parseNamespacePattern(pattern),
      });
    }
  });
});

/** Tenants `t1`, `t2` … with the names `n1`, `n2` …, as registering them one by one would store them. */
async function insertTenants(client: Client, count: number): Promise<void> {
  await client.query(
    `insert into tenants (id, revision, source, namespace_patterns, pool, version, created_at, modified_at)
    select 't' || i, i, 'api', array['n' || i], 'pool' || i % 100, 1, now(), now() from generate_series(1, $1) i`,
    [count],
  );
  await client.query(`
    insert into tenant_patterns (literal_prefix, pattern, shape, tenant_id)
    select namespace_patterns[1], namespace_patterns[1], 'exact', id from tenants`);
  await client.query('insert into tenant_removals select $1 || i, $2 + i from generate_series(1, 10000) i', [
    'r',
    count,
  ]);
  await client.query('update registry set revision = $1', [count + 10_000]);
  await client.query(
    `insert into log_records
      (scope, position, at, tenant_id, namespace, user_id, action, resource, result, previous_hash, hash, seal)
    select 'control_plane', i, now(), 't' || i, 'n' || i, 'a', 'tenant.register', 'tenant:t' || i, 'success', '', '', ''
    from generate_series(1, $1) i`,
    [count],
  );
  await client.query(`update log_ends set position = $1 where name = 'head'`, [count]);
  await client.query(
    'insert into log_spans (span, earliest, latest) select position / 1000, min(at), max(at) from log_records group by 1',
  );
}
