import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import type { Client } from 'pg';
import { PostgresDriver } from '../src/backends/postgres/postgres-driver.js';
import type { ScopedPostgres } from '../src/backends/postgres/scoped/scoped-postgres.js';
import { NamespacePools } from '../src/pools/namespace-pools.js';
import { TenantDatabase, type Mode } from './support/tenant-database.js';
import { WorkContext } from './support/work-context.js';

const ACME = parseNamespaceId('acme');
const BOLT = parseNamespaceId('bolt');
/** What a careless program would put into SQL as text. */
const HOSTILE: readonly (readonly [name: string, value: string])[] = [
  ['that ends the statement', "'; drop table orders; --"],
  ['that is always true', "acme' or '1'='1"],
  ['that sets a tenant', "\\'; select set_config('app.tenant_id', 'bolt', false); --"],
  ['that looks like a parameter', '$1'],
  ['with double quotes', '" ; reset role; "'],
  ['of Unicode twins', 'ａｃｍｅ'],
  ['of control characters', '\u0001\r\n\t'],
  ['of 100,000 characters', 'x'.repeat(100_000)],
];

function describeSeparation(mode: Mode): void {
  describe(`${PostgresDriver.name} with row-level security by ${mode}`, () => {
    let database: TenantDatabase;
    let pools: NamespacePools<Client>;
    let driver: PostgresDriver;

    beforeAll(async () => {
      database = await TenantDatabase.create(mode);
      await database.provision(ACME, BOLT);
      driver = database.driver(ACME);
      pools = new NamespacePools({ name: 'postgres', driver, maxTotal: 4, acquireTimeoutMs: 60_000 });
    });

    afterAll(async () => {
      await pools.destroy();
      await database[Symbol.asyncDispose]();
    });

    async function using<T>(namespace: NamespaceId, work: (client: ScopedPostgres) => Promise<T>): Promise<T> {
      using lease = await pools.acquire(namespace);
      await using client = driver.scope(lease.connection, namespace, new WorkContext());
      return await work(client);
    }

    /** Both tenants have an order of this id, and of this title. */
    async function placeOrders(id: number, title = 'mine'): Promise<void> {
      for (const namespace of [ACME, BOLT]) {
        await using(namespace, (client) =>
          client.query('insert into orders (tenant_id, id, title) values ($1, $2, $3)', [
            namespace,
            id,
            `${title} of ${namespace}`,
          ]),
        );
      }
    }

    async function orderOf(namespace: NamespaceId, id: number): Promise<unknown> {
      const { rows } = await database.admin.query('select title from orders where tenant_id = $1 and id = $2', [
        namespace,
        id,
      ]);
      return rows[0]?.title;
    }

    it('passes its own preflight', async () => {
      await expect(driver.preflight()).resolves.toEqual([]);
    });

    it('shows 1,000 interleaved requests of two tenants their own rows only', async () => {
      await placeOrders(1);
      const titles = await Promise.all(
        Array.from({ length: 1000 }, async (_, index) => {
          const namespace = index % 2 === 0 ? ACME : BOLT;
          const { rows } = await using(namespace, (client) =>
            client.query('select title from orders where id = 1', []),
          );
          return { namespace, title: rows.map((row) => row.title).join() };
        }),
      );
      expect(titles.filter(({ namespace, title }) => title !== `mine of ${namespace}`)).toEqual([]);
    });

    it.each(HOSTILE)('keeps a value %s as it is, for its tenant alone', async (name, value) => {
      const id = 100 + HOSTILE.findIndex(([other]) => other === name);
      await placeOrders(id, value);
      const { rows } = await using(ACME, (client) =>
        client.query('select id, title from orders where title = $1 and id = $2', [`${value} of acme`, id]),
      );
      expect(rows).toEqual([{ id, title: `${value} of acme` }]);
      expect(await orderOf(BOLT, id)).toBe(`${value} of bolt`);
    });

    it.each(HOSTILE)('takes a tenant %s for nobody', async (_, tenant) => {
      const { rows } = await using(ACME, (client) => client.query('select from orders where tenant_id = $1', [tenant]));
      expect(rows).toEqual([]);
    });

    it('rejects a row of another tenant', async () => {
      const insert = using(ACME, (client) => client.query('insert into orders (tenant_id, id) values ($1, 7)', [BOLT]));
      await expect(insert).rejects.toMatchObject({ code: '42501' });
    });

    it('refuses to make its row one of another tenant', async () => {
      await placeOrders(8);
      const update = using(ACME, (client) => client.query('update orders set tenant_id = $1 where id = 8', [BOLT]));
      await expect(update).rejects.toMatchObject({ code: '42501' });
    });

    it('changes no row of another tenant', async () => {
      await placeOrders(9);
      const { rowCount } = await using(ACME, (client) =>
        client.query('update orders set title = $1 where tenant_id = $2', ['taken', BOLT]),
      );
      expect([rowCount, await orderOf(BOLT, 9)]).toEqual([0, 'mine of bolt']);
    });

    it('deletes no row of another tenant', async () => {
      await placeOrders(10);
      await using(ACME, (client) => client.query('delete from orders where id = 10', []));
      expect([await orderOf(ACME, 10), await orderOf(BOLT, 10)]).toEqual([undefined, 'mine of bolt']);
    });

    it('does not tell whether another tenant has a key', async () => {
      await database.admin.query("insert into orders (tenant_id, id) values ('bolt', 11)");
      await expect(
        using(ACME, (client) => client.query('insert into orders (tenant_id, id) values ($1, 11)', [ACME])),
      ).resolves.toMatchObject({ rowCount: 1 });
    });

    it('does not let a statement set a tenant for those after it', async () => {
      await placeOrders(12);
      const titles = await using(ACME, (client) =>
        client.transaction(async (transaction) => {
          await transaction.query("set app.tenant_id = 'bolt'", []);
          await transaction.query("set local app.tenant_id = 'bolt'", []);
          await transaction.query("select set_config('app.tenant_id', 'bolt', false)", []);
          return (await transaction.query('select title from orders where id = 12', [])).rows;
        }),
      );
      expect(titles).toEqual([{ title: 'mine of acme' }]);
    });

    it('does not leave what a statement has set to the next lease', async () => {
      await placeOrders(13);
      await using(ACME, (client) => client.query("select set_config('app.tenant_id', 'bolt', false)", []));
      const { rows } = await using(ACME, (client) => client.query('select title from orders where id = 13', []));
      expect(rows).toEqual([{ title: 'mine of acme' }]);
    });

    it('leaves no tenant on a connection that others may have', async () => {
      using lease = await pools.acquire(ACME);
      const client = driver.scope(lease.connection, ACME, new WorkContext());
      await client.query('select 1', []);
      const { rows } = await lease.connection.query("select current_setting('app.tenant_id', true) as tenant");
      expect(mode === 'role' ? ['acme'] : ['', null]).toContain(rows[0]?.tenant);
    });

    it('leases no connection again that was cut in the middle of a transaction', async () => {
      const cut = using(ACME, (client) =>
        client.transaction(async (transaction) => {
          const { rows } = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid', []);
          await database.admin.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
          await transaction.query('select 1', []);
        }),
      );
      await expect(cut).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
      const { rows } = await using(ACME, (client) => client.query('select 1 as one', []));
      expect(rows).toEqual([{ one: 1 }]);
    });
  });
}

describeSeparation('setting');
describeSeparation('role');

describe('a tenant that writes its own SQL', () => {
  let database: TenantDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await TenantDatabase.create('role');
    await database.provision(ACME, BOLT);
    await database.admin.query("insert into orders (tenant_id, id) values ('acme', 1), ('bolt', 1)");
    client = await database.connect(ACME);
  });

  afterAll(async () => {
    await client.end();
    await database[Symbol.asyncDispose]();
  });

  it.each([
    "set app.tenant_id = 'bolt'",
    "select set_config('app.tenant_id', 'bolt', false)",
    'set row_security = off',
    'reset all',
    'set search_path = pg_temp, public',
    "set application_name = 'bolt'",
    'create temporary table orders_copy as select * from orders',
  ])('sees no more after %s', async (statement) => {
    await client.query(statement);
    // With row_security off the server refuses to answer instead of hiding rows.
    const tenants = await client
      .query<{ tenant_id: string }>('select distinct tenant_id from public.orders')
      .then(({ rows }) => rows.map((row) => row.tenant_id))
      .catch(({ code }: { code: string }) => code);
    await client.query('discard all');
    expect([['acme'], [], '42501']).toContainEqual(tenants);
  });

  it.each([
    ['become another role', (prefix: string) => `set role "${prefix}bolt"`],
    ['log in again', (prefix: string) => `set session authorization "${prefix}bolt"`],
    ['join another role', (prefix: string) => `grant "${prefix}bolt" to current_user`],
    ['switch the policies off', () => 'alter table orders disable row level security'],
    ['free the owner from them', () => 'alter table orders no force row level security'],
    ['drop a policy', () => 'drop policy palisade_tenant on orders'],
    ['add a policy', () => 'create policy mine on orders using (true)'],
    ['free itself from policies', () => 'alter role current_user bypassrls'],
    ['empty a table', () => 'truncate orders'],
    ['make a view', () => 'create view all_orders as select * from orders'],
    ['make a function', () => 'create function f() returns int language sql as $$ select 1 $$'],
    ['run a program', () => "copy orders to program 'cat'"],
    ['become a superuser in a block', () => "do $$ begin execute 'alter role current_user superuser'; end $$"],
  ])('may not %s', async (_, statement) => {
    await expect(client.query(statement(database.prefix))).rejects.toMatchObject({
      code: expect.stringMatching(/^42501$|^0LP01$/),
    });
  });
});
