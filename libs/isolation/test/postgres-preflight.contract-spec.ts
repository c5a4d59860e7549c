import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { PostgresDriver } from '../src/backends/postgres/postgres-driver.js';
import { preflightRowLevelSecurity } from '../src/backends/postgres/row-level-security/preflight.js';
import { NamespaceRejectedError } from '../src/pools/pool.errors.js';
import { ownTenant } from '../src/tenant-namespace.js';
import { TABLES, TENANT_COLUMN, TenantDatabase, type Mode } from './support/tenant-database.js';

const ACME = parseNamespaceId('acme');

/** What is done to a database that is in order, how it is undone, and what the preflight says in between. `%r` is the role. */
type Breakage = readonly [what: string, breakage: string, repair: string, problem: string | RegExp];

const POLICY = 'alter policy palisade_tenant on orders using';

const ROLES: readonly Breakage[] = [
  ['a superuser', 'alter role "%r" superuser', 'alter role "%r" nosuperuser', 'is a superuser'],
  ['BYPASSRLS', 'alter role "%r" bypassrls', 'alter role "%r" nobypassrls', 'is, or is a member of, %r (BYPASSRLS)'],
  ['CREATEROLE', 'alter role "%r" createrole', 'alter role "%r" nocreaterole', '%r (CREATEROLE)'],
  ['REPLICATION', 'alter role "%r" replication', 'alter role "%r" noreplication', '%r (REPLICATION)'],
  [
    'a member of a superuser',
    'create role "%r_boss" superuser; grant "%r_boss" to "%r"',
    'drop role "%r_boss"',
    'is, or is a member of, %r_boss (superuser',
  ],
  [
    'a member of those who read files of the server',
    'grant pg_read_server_files to "%r"',
    'revoke pg_read_server_files from "%r"',
    'pg_read_server_files (files and programs of the server)',
  ],
  ['the owner', 'alter table orders owner to "%r"', 'alter table orders owner to current_user', 'owns orders'],
  [
    'a member of the owner',
    'create role "%r_owner"; grant "%r_owner" to "%r"; alter table orders owner to "%r_owner"',
    'alter table orders owner to current_user; drop role "%r_owner"',
    'owns orders, or is a member of its owner',
  ],
];

const TABLE_STATES: readonly Breakage[] = [
  [
    'row-level security that is not enabled',
    'alter table orders disable row level security',
    'alter table orders enable row level security',
    'table orders: row-level security is not enabled',
  ],
  [
    'row-level security that is not forced',
    'alter table orders no force row level security',
    'alter table orders force row level security',
    'table orders: row-level security is not forced',
  ],
  [
    'a tenant column that may be null',
    'alter table orders drop constraint orders_pkey cascade; alter table orders alter tenant_id drop not null',
    'alter table orders add primary key (tenant_id, id)',
    'table orders: column tenant_id may be null',
  ],
  [
    'a tenant column that is no text',
    'create table ledger (tenant_id integer not null)',
    'drop table ledger',
    'table ledger: column tenant_id is no text',
  ],
  [
    'no tenant column',
    'create table ledger (id integer not null)',
    'drop table ledger',
    'table ledger: has no column tenant_id',
  ],
  ['a view', 'create view ledger as select 1 as tenant_id', 'drop view ledger', 'table ledger: expected a table'],
  ['a table that is not there', 'select 1', 'select 1', 'table ledger: does not exist'],
  [
    'a collation that takes different tenants for equal',
    `create collation shifted (provider = icu, locale = 'und-u-ka-shifted-ks-level1', deterministic = false);
     create table ledger (tenant_id text collate shifted not null)`,
    'drop table ledger; drop collation shifted',
    'table ledger: column tenant_id has a collation',
  ],
  [
    'a privilege that no policy restricts',
    'grant truncate, references, trigger on orders to "%r"',
    'revoke truncate, references, trigger on orders from "%r"',
    /TRUNCATE, which policies do not restrict[^]*REFERENCES[^]*TRIGGER/,
  ],
  [
    'a schema that the role may add to',
    'grant create on schema public to "%r"',
    'revoke create on schema public from "%r"',
    'table orders: the role may create objects in its schema',
  ],
  [
    'a partition that the role may use directly',
    `drop table orders; create table orders (tenant_id text not null, id integer not null, customer_id integer,
       title text not null default '', primary key (tenant_id, id)) partition by list (tenant_id);
     create table orders_rest partition of orders default; grant select on orders_rest, orders to "%r";
     alter table orders enable row level security; alter table orders force row level security;
     create policy palisade_tenant on orders using (%c)`,
    `drop table orders; create table orders (tenant_id text not null, id integer not null, customer_id integer,
       title text not null default '', primary key (tenant_id, id))`,
    'table orders_rest: row-level security is not enabled',
  ],
  [
    'a table that was forgotten',
    'create table invoices (tenant_id text not null); grant select on invoices to "%r"',
    'drop table invoices',
    'table invoices: has the column tenant_id, and is not among the tables',
  ],
];

const POLICIES: readonly Breakage[] = [
  [
    'no policy',
    'drop policy palisade_tenant on orders',
    'create policy palisade_tenant on orders using (%c)',
    'table orders: has no policy for the role',
  ],
  [
    'a policy for another role only',
    'drop policy palisade_tenant on orders; create policy palisade_tenant on orders to current_user using (%c)',
    'alter policy palisade_tenant on orders to public',
    'table orders: has no policy for the role',
  ],
  ['a policy that lets everything through', `${POLICY} (true)`, `${POLICY} (%c)`, 'read rows of other tenants'],
  [
    'a policy that has an exception for everything',
    `${POLICY} (%c or tenant_id is not null)`,
    `${POLICY} (%c)`,
    'let the role read rows of other tenants',
  ],
  [
    'a second policy that lets everything through',
    'create policy wide on orders for select using (true)',
    'drop policy wide on orders',
    'let the role read rows of other tenants',
  ],
  [
    'a policy that lets anything be written',
    `alter policy palisade_tenant on orders with check (true)`,
    'alter policy palisade_tenant on orders with check (%c)',
    /insert rows of other tenants[^]*write rows of other tenants/,
  ],
  [
    'a policy that lets anything be deleted',
    'create policy wide on orders for delete using (true)',
    'drop policy wide on orders',
    'delete rows of other tenants',
  ],
  [
    'a policy that hides everything',
    `${POLICY} (false)`,
    `${POLICY} (%c)`,
    'table orders: its policies do not let the role read rows of its own tenant',
  ],
  [
    'a policy that cannot be evaluated',
    `${POLICY} (1 / (length(tenant_id) - length(tenant_id)) = 1)`,
    `${POLICY} (%c)`,
    'table orders: its policies cannot be evaluated: division by zero',
  ],
];

const KEYS: readonly Breakage[] = [
  [
    'a unique key without the tenant',
    'alter table orders add constraint orders_title_key unique (title)',
    'alter table orders drop constraint orders_title_key',
    'table orders: the unique index orders_title_key lacks tenant_id',
  ],
  [
    'a unique index that only includes the tenant',
    'create unique index orders_title_key on orders (title) include (tenant_id)',
    'drop index orders_title_key',
    'the unique index orders_title_key lacks tenant_id',
  ],
  [
    'a foreign key without the tenant',
    `alter table customers add constraint customers_id_key unique (id);
     alter table orders add constraint orders_customer_fkey foreign key (customer_id) references customers (id)`,
    'alter table orders drop constraint orders_customer_fkey; alter table customers drop constraint customers_id_key',
    'table orders: the foreign key orders_customer_fkey to customers lacks tenant_id',
  ],
];

const SIDE_DOORS: readonly Breakage[] = [
  [
    'a view of a superuser',
    'create view all_orders as select * from orders; grant select on all_orders to "%r"',
    'drop view all_orders',
    /view all_orders: shows what its owner \w+ sees/,
  ],
  [
    'a view of a superuser behind one of the caller',
    `create view all_orders as select * from orders;
     create view orders_of_caller with (security_invoker = true) as select * from all_orders;
     grant select on orders_of_caller to "%r"`,
    'drop view all_orders cascade',
    /view all_orders: shows what its owner \w+ sees/,
  ],
  [
    'a materialized view',
    'create materialized view order_counts as select count(*) from orders; grant select on order_counts to "%r"',
    'drop materialized view order_counts',
    'materialized view order_counts: holds rows of all tenants',
  ],
  [
    'a sequence that may be set back',
    'create sequence numbers owned by orders.id; grant update on sequence numbers to "%r"',
    'drop sequence numbers',
    'sequence numbers: the role may set it back',
  ],
];

function describePreflight(mode: Mode, breakages: readonly Breakage[]): void {
  describe(`${preflightRowLevelSecurity.name} by ${mode}`, () => {
    let database: TenantDatabase;
    let condition: string;

    beforeAll(async () => {
      database = await TenantDatabase.create(mode);
      await database.provision(ACME);
      const { rows } = await database.admin.query(
        "select pg_get_expr(polqual, polrelid) as condition from pg_policy where polrelid = 'orders'::regclass",
      );
      condition = rows[0]?.condition;
    });

    afterAll(async () => {
      await database[Symbol.asyncDispose]();
    });

    function fill(text: string): string {
      return text.replaceAll('%r', database.role(ACME)).replaceAll('%c', condition);
    }

    async function preflight(tables: readonly string[] = TABLES): Promise<readonly string[]> {
      const client = await database.connect(ACME);
      try {
        const options = {
          tables,
          tenantColumn: TENANT_COLUMN,
          mode,
          tenantId: ownTenant(ACME),
          rolePrefix: database.prefix,
        };
        return (await preflightRowLevelSecurity(client, options)).warnings;
      } finally {
        await client.end();
      }
    }

    it.each(breakages)('rejects %s', async (_, breakage, repair, problem) => {
      await database.admin.query(fill(breakage));
      const tables = /\bledger\b/.test(String(problem)) ? [...TABLES, 'ledger'] : TABLES;
      const rejected = preflight(tables);
      await expect(rejected).rejects.toMatchObject({ code: 'ROW_LEVEL_SECURITY' });
      await expect(rejected).rejects.toThrow(typeof problem === 'string' ? fill(problem) : problem);
      await database.admin.query(fill(repair));
      await database.provision(ACME);
      await expect(preflight()).resolves.toEqual([]);
    });

    it('lists everything that is wrong', async () => {
      await database.admin.query(
        fill('alter table orders disable row level security; grant truncate on customers to "%r"'),
      );
      const error = await preflight([...TABLES, 'no_such_table', 'no"such"table']).catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        problems: expect.arrayContaining([
          'table no"such"table: does not exist, or the role may not see it',
          'table no_such_table: does not exist, or the role may not see it',
          'table orders: row-level security is not enabled',
          'table customers: the role has the privilege TRUNCATE, which policies do not restrict',
        ]),
      });
      await database.provision(ACME);
    });

    it('accepts policies that only together separate tenants', async () => {
      await database.admin.query(
        `${POLICY} (true); create policy tenants on orders as restrictive using (${condition}) with check (${condition})`,
      );
      await expect(preflight()).resolves.toEqual([]);
      await database.admin.query(`drop policy tenants on orders; ${POLICY} (${condition})`);
    });

    it('accepts views that show what the caller sees', async () => {
      await database.admin.query(
        fill(`create view own_orders with (security_invoker = true) as select * from orders;
              grant select on own_orders to "%r"`),
      );
      await expect(preflight()).resolves.toEqual([]);
      await database.admin.query('drop view own_orders');
    });

    it('warns of functions that run as their owner, and of sequences that count for all', async () => {
      await database.admin.query(
        fill(`create function count_orders() returns bigint language sql security definer as 'select count(*) from orders';
              create sequence numbers owned by orders.id; grant usage on sequence numbers to "%r"`),
      );
      expect(await preflight()).toEqual([
        'sequence numbers: its numbers tell how many rows all tenants together insert',
        expect.stringMatching(/^function count_orders\(\): runs as its owner \w+/),
      ]);
      await database.admin.query('drop function count_orders(); drop sequence numbers');
    });

    it('changes nothing, and leaves the client in no transaction', async () => {
      const client = await database.connect(ACME);
      const options = {
        tables: TABLES,
        tenantColumn: TENANT_COLUMN,
        mode,
        tenantId: ownTenant(ACME),
        rolePrefix: database.prefix,
      };
      await preflightRowLevelSecurity(client, options);
      const { rows } = await client.query("select nullif(current_setting('app.tenant_id', true), '') as tenant");
      expect([rows[0]?.tenant, client.getTransactionStatus()]).toEqual([mode === 'role' ? 'acme' : null, 'I']);
      await client.end();
    });
  });
}

describePreflight('setting', [...ROLES, ...TABLE_STATES, ...POLICIES, ...KEYS, ...SIDE_DOORS]);
describePreflight('role', POLICIES);

describe(`${preflightRowLevelSecurity.name} of a tenant in a setting`, () => {
  let database: TenantDatabase;

  beforeAll(async () => {
    database = await TenantDatabase.create('setting');
    await database.provision(ACME);
  });

  afterAll(async () => {
    await database[Symbol.asyncDispose]();
  });

  it.each([
    [
      'by default',
      'alter role "%r" set app.tenant_id = \'acme\'',
      'alter role "%r" reset app.tenant_id',
      'is set for the role',
    ],
    [
      'that was never set',
      `${POLICY} (current_setting('app.tenant_id', true) is null or tenant_id = current_setting('app.tenant_id', true))`,
      'drop policy palisade_tenant on orders',
      'read rows of other tenants when no tenant was ever set',
    ],
    [
      'that is no longer set',
      `${POLICY} (tenant_id = coalesce(nullif(current_setting('app.tenant_id', true), ''), tenant_id))`,
      'drop policy palisade_tenant on orders',
      'read rows of other tenants when the tenant is no longer set',
    ],
  ])('rejects one %s', async (_, breakage, repair, problem) => {
    await database.admin.query(breakage.replaceAll('%r', database.role(ACME)));
    await expect(database.driver(ACME).preflight()).rejects.toThrow(problem);
    await database.admin.query(repair.replaceAll('%r', database.role(ACME)));
    await database.provision(ACME);
    await expect(database.driver(ACME).preflight()).resolves.toEqual([]);
  });
});

describe(`${PostgresDriver.name} with row-level security`, () => {
  const BOLT = parseNamespaceId('bolt');
  const { signal } = new AbortController();
  let database: TenantDatabase;

  beforeAll(async () => {
    database = await TenantDatabase.create('role');
    await database.provision(ACME, BOLT);
  });

  afterAll(async () => {
    await database[Symbol.asyncDispose]();
  });

  it('does not connect as the role of another tenant', async () => {
    const driver = new PostgresDriver({ config: () => database.configOf(BOLT), separation: database.separation(ACME) });
    const error = await driver.connect(ACME, signal).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      cause: { problems: [`role ${database.role(BOLT)}: expected ${database.role(ACME)}, the role of the tenant`] },
    });
    expect(error).toBeInstanceOf(NamespaceRejectedError);
  });

  it('does not connect as a role that has got round the policies since the start', async () => {
    const driver = database.driver(ACME);
    await driver.preflight();
    await database.admin.query(`alter role "${database.role(BOLT)}" bypassrls`);
    await expect(driver.connect(BOLT, signal)).rejects.toThrow('BYPASSRLS');
    await database.admin.query(`alter role "${database.role(BOLT)}" nobypassrls`);
    await driver.close(await driver.connect(BOLT, signal));
  });

  it('leaves no connection behind when it does not accept the role', async () => {
    await database.admin.query(`alter role "${database.role(BOLT)}" connection limit 1`);
    const driver = new PostgresDriver({ config: () => database.configOf(BOLT), separation: database.separation(ACME) });
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(driver.connect(ACME, signal)).rejects.toMatchObject({ cause: { code: 'ROW_LEVEL_SECURITY' } });
    }
    await database.admin.query(`alter role "${database.role(BOLT)}" connection limit -1`);
  });

  it('wants to know as whom to ask where the configuration is by namespace', () => {
    const separation = { ...database.separation(ACME), preflightTenant: undefined };
    expect(() => new PostgresDriver({ config: () => ({}), separation })).toThrow(
      'separation.preflightTenant: required',
    );
  });

  it('has nothing to ask when namespaces have servers of their own', async () => {
    await expect(new PostgresDriver({ config: {}, separation: { type: 'physical' } }).preflight()).resolves.toEqual([]);
  });
});
