import { randomBytes } from 'node:crypto';
import { parseTenantId } from '@palisade/domain';
import { Client, escapeIdentifier, type ClientConfig } from 'pg';
import { PostgresDriver, type PostgresDriverOptions } from '../../src/backends/postgres/postgres-driver.js';
import {
  PostgresProvisioner,
  type PostgresProvisionerOptions,
} from '../../src/backends/postgres/provisioning/postgres-provisioner.js';
import type { RowLevelSecuritySeparation } from '../../src/backends/postgres/separation.js';
import { testServerUrl } from './postgres-server.js';

export type Mode = RowLevelSecuritySeparation['mode'];

export const TABLES = ['customers', 'orders'];
export const TENANT_COLUMN = 'tenant_id';

const SCHEMA = `
  create table customers (
    tenant_id text not null, id integer not null, name text not null, primary key (tenant_id, id)
  );
  create table orders (
    tenant_id text not null, id integer not null, customer_id integer, title text not null default '',
    primary key (tenant_id, id),
    foreign key (tenant_id, customer_id) references customers (tenant_id, id)
  )`;

/** A database of its own with two tables of tenants, and the roles that the test makes in it. */
export class TenantDatabase implements AsyncDisposable {
  /** As an administrator, which no policy binds. */
  readonly admin: Client;
  readonly config: ClientConfig;
  /** What the names of its roles begin with. */
  readonly prefix: string;
  readonly #passwords = new Map<string, string>();

  private constructor(
    readonly mode: Mode,
    config: ClientConfig,
  ) {
    this.config = config;
    this.admin = new Client(config);
    this.prefix = `t${randomBytes(4).toString('hex')}_`;
  }

  static async create(mode: Mode): Promise<TenantDatabase> {
    const name = `palisade_test_${randomBytes(9).toString('hex')}`;
    const url = new URL(testServerUrl());
    await execute(url.href, `create database ${name} template template0 encoding 'UTF8'`);
    url.pathname = name;
    const database = new TenantDatabase(mode, { connectionString: url.href });
    await database.admin.connect();
    await database.admin.query(SCHEMA);
    return database;
  }

  provisioner(options: Partial<PostgresProvisionerOptions> = {}): PostgresProvisioner {
    const { mode, config, prefix } = this;
    const login = mode === 'role' ? { mode, rolePrefix: prefix } : { mode, role: `${prefix}app` };
    return new PostgresProvisioner({ config, tables: TABLES, tenantColumn: TENANT_COLUMN, login, ...options });
  }

  /** Has a tenant be able to log in. */
  async provision(...tenants: readonly string[]): Promise<void> {
    for (const tenant of tenants) {
      const { role, password } = await this.provisioner().provision(parseTenantId(tenant));
      if (password !== undefined) {
        this.#passwords.set(role, password);
      }
    }
  }

  role(tenant: string): string {
    return this.prefix + (this.mode === 'role' ? tenant : 'app');
  }

  /** How a tenant logs in. */
  configOf(tenant: string): ClientConfig {
    const role = this.role(tenant);
    const url = new URL(this.config.connectionString ?? '');
    url.username = role;
    url.password = this.#passwords.get(role) ?? '';
    return { connectionString: url.href };
  }

  /** A client that has logged in for a tenant, and sees what belongs to it, or to `value`; to be ended by the caller. */
  async connect(tenant: string, value = tenant): Promise<Client> {
    const options = this.mode === 'role' ? `-c app.tenant_id=${value}` : undefined;
    const client = new Client({ ...this.configOf(tenant), options });
    await client.connect();
    return client;
  }

  separation(preflightTenant: string): RowLevelSecuritySeparation {
    const common = {
      type: 'row_level_security',
      tenantColumn: TENANT_COLUMN,
      tables: TABLES,
      preflightTenant: parseTenantId(preflightTenant),
    } as const;
    return this.mode === 'role' ? { ...common, mode: 'role', rolePrefix: this.prefix } : { ...common, mode: 'setting' };
  }

  driver(preflightTenant: string, options: Partial<PostgresDriverOptions> = {}): PostgresDriver {
    const config: PostgresDriverOptions['config'] = ({ tenantId }) => this.configOf(tenantId);
    return new PostgresDriver({ config, separation: this.separation(preflightTenant), ...options });
  }

  /** As it was when it was new: the tables are empty and as they should be, everything else and all roles are gone. */
  async reset(): Promise<void> {
    await this.admin.query(`drop schema public cascade; create schema public; grant usage on schema public to public`);
    await this.#dropRoles();
    await this.admin.query(SCHEMA);
    this.#passwords.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.admin.query('drop schema public cascade');
    await this.#dropRoles();
    const database = new URL(this.config.connectionString ?? '').pathname.slice(1);
    await this.admin.end();
    await execute(testServerUrl(), `drop database ${database} with (force)`);
  }

  async #dropRoles(): Promise<void> {
    const find = 'select rolname from pg_roles where starts_with(rolname, $1)';
    const { rows } = await this.admin.query(find, [this.prefix]);
    for (const { rolname } of rows) {
      const role = escapeIdentifier(rolname);
      await this.admin.query(`drop owned by ${role} cascade; drop role ${role}`);
    }
  }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
