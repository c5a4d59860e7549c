import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { Client } from 'pg';
import { PostgresProvisioner } from '../src/backends/postgres/provisioning/postgres-provisioner.js';
import { TenantDatabase } from './support/tenant-database.js';
import { ownTenant } from '../src/tenant-namespace.js';

const ACME = parseNamespaceId('acme');
const BOLT = parseNamespaceId('bolt');

let database: TenantDatabase;

async function rowsOf(table: string): Promise<unknown[]> {
  const { rows } = await database.admin.query(`select tenant_id from ${table} order by 1`);
  return rows.map((row) => row.tenant_id);
}

async function hasRole(role: string): Promise<boolean> {
  const { rowCount } = await database.admin.query('select from pg_roles where rolname = $1', [role]);
  return rowCount === 1;
}

describe(`${PostgresProvisioner.name} of roles for namespaces`, () => {
  beforeAll(async () => {
    database = await TenantDatabase.create('role');
  });

  afterAll(async () => {
    await database[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    await database.reset();
  });

  it('says what it has changed, and nothing when it does so again', async () => {
    const role = `"${database.prefix}acme"`;
    const first = await database.provisioner().provision(ownTenant(ACME));
    expect(first).toEqual({
      role: `${database.prefix}acme`,
      password: expect.stringMatching(/^[\w-]{43}$/),
      changes: [
        `role ${role}: created`,
        ...['public.customers', 'public.orders'].flatMap((table) =>
          ['SELECT', 'INSERT', 'UPDATE', 'DELETE'].map(
            (privilege) => `table ${table}: ${privilege} granted to ${role}`,
          ),
        ),
        ...['public.customers', 'public.orders'].flatMap((table) => [
          `table ${table}: policy "palisade_tenant" created`,
          `table ${table}: ENABLE ROW LEVEL SECURITY`,
          `table ${table}: FORCE ROW LEVEL SECURITY`,
        ]),
      ],
    });
    await expect(database.provisioner().provision(ownTenant(ACME))).resolves.toEqual({
      role: `${database.prefix}acme`,
      changes: [],
    });
  });

  it('makes a role that can log in and nothing else', async () => {
    await database.provision(ACME);
    const { rows } = await database.admin.query(
      `select rolcanlogin, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolreplication, rolconnlimit
       from pg_roles where rolname = $1`,
      [database.role(ACME)],
    );
    expect(Object.values(rows[0])).toEqual([true, false, false, false, false, false, -1]);
  });

  it('sends the server no password, only what proves it', async () => {
    const password = 'correct horse battery';
    await database.provisioner().provision(ownTenant(ACME), { password });
    const { rows } = await database.admin.query('select rolpassword from pg_authid where rolname = $1', [
      database.role(ACME),
    ]);
    expect(rows[0]?.rolpassword).toMatch(/^SCRAM-SHA-256\$4096:/);
    const url = new URL(database.config.connectionString ?? '');
    [url.username, url.password] = [database.role(ACME), encodeURIComponent(password)];
    const client = new Client({ connectionString: url.href });
    await client.connect();
    await client.end();
  });

  it('sets another password when it is given one', async () => {
    await database.provision(ACME);
    const { changes, password } = await database
      .provisioner()
      .provision(ownTenant(ACME), { password: 'another password' });
    expect([changes, password]).toEqual([[`role "${database.role(ACME)}": password set`], undefined]);
  });

  it.each([
    ['that is short', 'too short'],
    ['with other letters', 'pässwörter sind gut'],
    ['that is long', 'x'.repeat(1025)],
  ])('does not take a password %s', async (_, password) => {
    await expect(database.provisioner().provision(ownTenant(ACME), { password })).rejects.toThrow(
      '16 to 1024 printable ASCII',
    );
  });

  it('limits connections, and gives only the privileges that it is asked for', async () => {
    const provisioner = database.provisioner({ connectionLimit: 3, privileges: ['SELECT'] });
    await provisioner.provision(ownTenant(ACME));
    const { rows } = await database.admin.query(
      `select rolconnlimit, has_table_privilege(oid, 'orders', 'select') as reads,
         has_table_privilege(oid, 'orders', 'insert') as inserts
       from pg_roles where rolname = $1`,
      [database.role(ACME)],
    );
    expect(rows).toEqual([{ rolconnlimit: 3, reads: true, inserts: false }]);
  });

  it('lets defaults of columns draw from their sequences', async () => {
    await database.admin.query('alter table orders add column number serial');
    await database.provision(ACME);
    await using pool = await connectAs();
    await expect(
      pool.client.query("insert into orders (tenant_id, id) values ('acme', 1) returning number"),
    ).resolves.toMatchObject({ rows: [{ number: 1 }] });
  });

  it.each([
    ['an attribute', 'alter role "%r" createdb', 'role "%r": NOCREATEDB'],
    ['a membership', 'grant pg_monitor to "%r"', 'role "%r": no longer a member of "pg_monitor"'],
    ['a privilege too many', 'grant truncate on orders to "%r"', 'table public.orders: TRUNCATE revoked from "%r"'],
    ['a privilege too few', 'revoke insert on orders from "%r"', 'table public.orders: INSERT granted to "%r"'],
    [
      'a table without security',
      'alter table orders disable row level security',
      'table public.orders: ENABLE ROW LEVEL SECURITY',
    ],
    [
      'a wide policy',
      'alter policy palisade_tenant on orders using (true)',
      'table public.orders: policy "palisade_tenant" replaced',
    ],
    [
      'a policy for reading only',
      'drop policy palisade_tenant on orders; create policy palisade_tenant on orders for select using (true)',
      'table public.orders: policy "palisade_tenant" replaced',
    ],
  ])('finds and repairs %s', async (_, breakage, difference) => {
    await database.provision(ACME);
    const role = database.role(ACME);
    await database.admin.query(breakage.replace('%r', role));
    expect(await database.provisioner().verify(ownTenant(ACME))).toEqual([difference.replace('%r', role)]);
    expect((await database.provisioner().provision(ownTenant(ACME))).changes).toEqual([difference.replace('%r', role)]);
    expect(await database.provisioner().verify(ownTenant(ACME))).toEqual([]);
  });

  it('finds a role that is missing, and changes nothing', async () => {
    await database.provision(BOLT);
    expect(await database.provisioner().verify(ownTenant(ACME))).toEqual([`role "${database.role(ACME)}": created`]);
    expect(await hasRole(database.role(ACME))).toBe(false);
  });

  it('rejects a role that owns anything, and changes nothing', async () => {
    await database.provision(ACME);
    const role = database.role(ACME);
    await database.admin.query(
      `create table private (); alter table private owner to "${role}"; alter role "${role}" createdb`,
    );
    await expect(database.provisioner().provision(ownTenant(ACME))).rejects.toMatchObject({
      problems: [`role "${role}": owns table private, and should own nothing`],
    });
    expect(await database.provisioner().verify(ownTenant(ACME))).toContain(`role "${role}": NOCREATEDB`);
  });

  it.each(['superuser', 'bypassrls', 'createrole', 'replication'])(
    'does not take %s from a role',
    async (attribute) => {
      await database.provision(ACME);
      const role = database.role(ACME);
      await database.admin.query(`alter role "${role}" ${attribute}`);
      const problem = `role "${role}": should be NO${attribute.toUpperCase()}`;
      await expect(database.provisioner().provision(ownTenant(ACME))).rejects.toMatchObject({ problems: [problem] });
      expect(await database.provisioner().verify(ownTenant(ACME))).toEqual([problem]);
    },
  );

  it.each([
    ['a table that is not there', { tables: ['orders', 'nothing'] }],
    ['a view', { tables: ['pg_roles'] }],
    ['no table', { tables: [] }],
    ['a column that is not there', { tenantColumn: 'customer' }],
  ])('rejects %s', async (_, options) => {
    await expect(database.provisioner(options).provision(ownTenant(ACME))).rejects.toThrow(RangeError);
    expect(await hasRole(database.role(ACME))).toBe(false);
  });

  it('lets provisioners that run at the same time take turns', async () => {
    const provisioned = await Promise.all([1, 2, 3].map(() => database.provisioner().provision(ownTenant(ACME))));
    expect(provisioned.filter(({ changes }) => changes.length > 0)).toHaveLength(1);
  });

  it('removes the role and keeps the rows', async () => {
    await database.provision(ACME, BOLT);
    await database.admin.query("insert into orders (tenant_id, id) values ('acme', 1), ('bolt', 1)");
    const removed = await database.provisioner().remove(ownTenant(ACME), { rows: 'keep' });
    expect(removed).toEqual({ deletedRows: 0, changes: [`role "${database.role(ACME)}": removed`] });
    expect([await hasRole(database.role(ACME)), await hasRole(database.role(BOLT))]).toEqual([false, true]);
    expect(await rowsOf('orders')).toEqual(['acme', 'bolt']);
  });

  it('removes the rows with the role, whichever refer to which, and those of nobody else', async () => {
    await database.provision(ACME, BOLT);
    for (const namespace of [ACME, BOLT]) {
      await database.admin.query('insert into customers values ($1, 1, $2)', [namespace, 'Ada']);
      await database.admin.query('insert into orders values ($1, 1, 1)', [namespace]);
    }
    await expect(database.provisioner().remove(ownTenant(ACME), { rows: 'delete' })).resolves.toMatchObject({
      deletedRows: 2,
    });
    expect([await rowsOf('customers'), await rowsOf('orders')]).toEqual([['bolt'], ['bolt']]);
  });

  it('deletes rows of a namespace whose role is gone already', async () => {
    await database.provision(ACME);
    await database.admin.query("insert into orders (tenant_id, id) values ('acme', 1)");
    await database.provisioner().remove(ownTenant(ACME), { rows: 'keep' });
    await expect(database.provisioner().remove(ownTenant(ACME), { rows: 'delete' })).resolves.toEqual({
      deletedRows: 1,
      changes: [],
    });
    expect(await hasRole(database.role(ACME))).toBe(false);
  });

  it('ends the connections of the role', async () => {
    await database.provision(ACME);
    const client = await database.connect(ACME);
    const ended = new Promise((resolve) => {
      client.on('error', () => {}).on('end', () => resolve(true));
    });
    await database.provisioner().remove(ownTenant(ACME), { rows: 'keep' });
    await expect(ended).resolves.toBe(true);
  });

  it('removes no role that owns anything, but lets nobody log in as it', async () => {
    await database.provision(ACME);
    await database.admin.query(`create table private (); alter table private owner to "${database.role(ACME)}"`);
    await expect(database.provisioner().remove(ownTenant(ACME), { rows: 'delete' })).rejects.toMatchObject({
      code: 'ROW_LEVEL_SECURITY',
    });
    await expect(database.connect(ACME)).rejects.toThrow('not permitted to log in');
  });

  it('finds and replaces a password that the role has changed itself', async () => {
    const password = 'the password that it was given';
    await database.provisioner().provision(ownTenant(ACME), { password });
    expect(await database.provisioner().verify(ownTenant(ACME), { password })).toEqual([]);
    await database.admin.query(`alter role "${database.role(ACME)}" password 'one that nobody else knows'`);
    const difference = `role "${database.role(ACME)}": has another password`;
    expect(await database.provisioner().verify(ownTenant(ACME), { password })).toEqual([difference]);
    await database.provisioner().provision(ownTenant(ACME), { password });
    expect(await database.provisioner().verify(ownTenant(ACME), { password })).toEqual([]);
  });

  it('finds and removes settings that the role has made for its later connections', async () => {
    await database.provision(ACME);
    const client = await database.connect(ACME);
    await client.query('alter role current_user set default_transaction_read_only = on');
    const { rows } = await client.query('select current_database() as name');
    await client.query(`alter role current_user in database "${rows[0].name}" set search_path = nowhere`);
    await client.end();
    const role = `role "${database.role(ACME)}"`;
    const differences = [
      `${role}: settings removed: default_transaction_read_only=on`,
      `${role}: settings removed in database "${rows[0].name}": search_path=nowhere`,
    ];
    expect(await database.provisioner().verify(ownTenant(ACME))).toEqual(differences);
    expect((await database.provisioner().provision(ownTenant(ACME))).changes).toEqual(differences);
    expect(await database.provisioner().verify(ownTenant(ACME))).toEqual([]);
  });

  it('removes large objects with the role that has left them', async () => {
    await database.provision(ACME);
    const client = await database.connect(ACME);
    await client.query('select lo_from_bytea(0, $1), lo_from_bytea(0, $1)', [Buffer.from('x')]);
    await client.end();
    const role = `role "${database.role(ACME)}"`;
    expect(await database.provisioner().verify(ownTenant(ACME))).toEqual([
      `${role}: owns 2 large objects, which go with it`,
    ]);
    await expect(database.provisioner().provision(ownTenant(ACME))).resolves.toMatchObject({ changes: [] });
    await expect(database.provisioner().remove(ownTenant(ACME), { rows: 'keep' })).resolves.toMatchObject({
      changes: [`${role}: 2 large objects removed`, `${role}: removed`],
    });
    const { rows } = await database.admin.query('select count(*)::int as count from pg_largeobject_metadata');
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('removes nothing the second time', async () => {
    await database.provision(ACME);
    await database.provisioner().remove(ownTenant(ACME), { rows: 'keep' });
    await expect(database.provisioner().remove(ownTenant(ACME), { rows: 'keep' })).resolves.toEqual({
      deletedRows: 0,
      changes: [],
    });
  });

  it.each([
    ['quotes', 'we"ird; drop table x; --', `ten"'ant`],
    ['dots and capitals', 'Big.Table', 'Tenant.Id'],
    ['backslashes and dollars', 'a\\b$$c', '$1\\'],
    ['Unicode', 'täble ☃', 'mandant_ä'],
  ])('takes names with %s', async (_, table, column) => {
    const [quotedTable, quotedColumn] = [table, column].map((name) => `"${name.replaceAll('"', '""')}"`);
    await database.admin.query(`create table ${quotedTable} (${quotedColumn} text not null)`);
    const hostile = database.provisioner({ tables: [quotedTable ?? ''], tenantColumn: column });
    const { password = '' } = await hostile.provision(ownTenant(ACME));
    await expect(hostile.verify(ownTenant(ACME))).resolves.toEqual([]);
    await database.admin.query(`insert into ${quotedTable} values ('acme'), ('bolt')`);
    await using own = await connectAs(password);
    const { rows } = await own.client.query(`select ${quotedColumn} as tenant from ${quotedTable}`);
    expect(rows).toEqual([{ tenant: 'acme' }]);
    await expect(hostile.remove(ownTenant(ACME), { rows: 'delete' })).resolves.toMatchObject({ deletedRows: 1 });
  });

  it.each([`o'hara "${'x'.repeat(8)}; drop role postgres; --`, 'Ten\\ant_', "t'||current_user||'"])(
    'takes the role prefix %j',
    async (prefix) => {
      const rolePrefix = database.prefix + prefix;
      const provisioner = database.provisioner({ login: { mode: 'role', rolePrefix } });
      const { role, password = '' } = await provisioner.provision(ownTenant(ACME));
      expect(role).toBe(`${rolePrefix}acme`);
      await database.admin.query("insert into orders (tenant_id, id) values ('acme', 1), ('bolt', 1)");
      await using own = await connectAs(password, role);
      expect((await own.client.query('select tenant_id from orders')).rows).toEqual([{ tenant_id: 'acme' }]);
      await provisioner.remove(ownTenant(ACME), { rows: 'keep' });
    },
  );

  it('rejects a role whose name the server would cut off', async () => {
    const provisioner = database.provisioner({ login: { mode: 'role', rolePrefix: 'x'.repeat(60) } });
    expect(() => provisioner.provision(ownTenant(ACME))).toThrow('at most 63 bytes');
  });

  it('needs no superuser', async () => {
    const owner = `${database.prefix}owner`;
    await database.admin.query(
      `create role "${owner}" login createrole password 'a long password'; grant "${owner}" to current_user;
       grant create on schema public to "${owner}"; alter table customers owner to "${owner}"; alter table orders owner to "${owner}"`,
    );
    const url = new URL(database.config.connectionString ?? '');
    [url.username, url.password] = [owner, 'a long password'];
    const provisioner = database.provisioner({ config: { connectionString: url.href } });
    await provisioner.provision(ownTenant(ACME));
    await database.admin.query("insert into orders (tenant_id, id) values ('acme', 1), ('bolt', 1)");
    expect(await provisioner.verify(ownTenant(ACME))).toEqual([]);
    await expect(provisioner.remove(ownTenant(ACME), { rows: 'delete' })).resolves.toMatchObject({ deletedRows: 1 });
    expect([await rowsOf('orders'), await hasRole(database.role(ACME))]).toEqual([['bolt'], false]);
  });
});

describe(`${PostgresProvisioner.name} of one role for all`, () => {
  beforeAll(async () => {
    database = await TenantDatabase.create('setting');
  });

  afterAll(async () => {
    await database[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    await database.reset();
  });

  it('makes the role once', async () => {
    await database.provision(ACME);
    await expect(database.provisioner().provision(ownTenant(BOLT))).resolves.toEqual({
      role: database.role(BOLT),
      changes: [],
    });
  });

  it('keeps the role, and deletes the rows of one namespace', async () => {
    await database.provision(ACME, BOLT);
    await database.admin.query("insert into orders (tenant_id, id) values ('acme', 1), ('bolt', 1)");
    const removed = await database.provisioner().remove(ownTenant(ACME), { rows: 'delete' });
    expect(removed).toEqual({ deletedRows: 1, changes: [] });
    expect([await rowsOf('orders'), await hasRole(database.role(BOLT))]).toEqual([['bolt'], true]);
  });

  it('makes policies that show nothing without a tenant', async () => {
    await database.provision(ACME);
    await database.admin.query("insert into orders (tenant_id, id) values ('acme', 1), ('', 2)");
    await using own = await connectAs();
    const count = async () => (await own.client.query('select from orders')).rowCount;
    const never = await count();
    await own.client.query("begin; select set_config('app.tenant_id', 'acme', true)");
    const within = await count();
    await own.client.query('commit');
    expect([never, within, await count()]).toEqual([0, 1, 0]);
  });
});

/** Logged in as the role of ACME, or as another. */
async function connectAs(
  password?: string,
  role = database.role(ACME),
): Promise<AsyncDisposable & { readonly client: Client }> {
  const url = new URL(database.configOf(ACME).connectionString ?? '');
  if (password !== undefined) {
    [url.username, url.password] = [encodeURIComponent(role), encodeURIComponent(password)];
  }
  const options = database.mode === 'role' ? '-c app.tenant_id=acme' : undefined;
  const client = new Client({ connectionString: url.href, options });
  // Its role may be removed under it.
  client.on('error', () => {});
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}
