import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseTenantId } from '@palisade/domain';
import { PostgresDriver, PostgresProvisioner } from '@palisade/isolation/postgres';
import type { BackendOptions } from './backend-options.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@palisade/storage';
import { Client } from 'pg';

const TENANT_COLUMN = 'tenant_id';
const TABLES = ['notes'];

/** So long the server keeps a connection of this proxy when it was stopped: others may have its place in the cap then. */
const SILENCE_MS = 10_000;

/** The proxy's role in the embedded server. */
const ROLE = 'data_proxy';

/**
 * The primary key begins with the tenant: a unique key without it would reveal which ids other tenants have. Ids are random,
 * since a sequence would reveal how many rows others insert.
 */
const SCHEMA = `
  create table if not exists notes (
    tenant_id text not null default nullif(current_setting('app.tenant_id', true), ''),
    id uuid not null default gen_random_uuid(),
    title text not null,
    body text not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, id)
  )`;

/** In the mode `setting` all tenants share a role, so provisioning may name any of them. */
const ANY_TENANT = parseTenantId('preflight');

export interface OpenedPostgres {
  readonly driver: PostgresDriver;
  readonly embedded?: EmbeddedPostgres;
}

/** Undefined when other backends are configured, but not PostgreSQL. */
export async function openPostgres({ config, logger }: BackendOptions): Promise<OpenedPostgres | undefined> {
  const { postgresUrl, postgresAdminUrl, provision } = config;
  if (postgresUrl !== undefined) {
    if (provision && postgresAdminUrl !== undefined) {
      await provisionPostgres(postgresAdminUrl, postgresUrl);
      logger.log('PostgreSQL is provisioned', 'Backends');
    }
    return { driver: createDriver(postgresUrl) };
  }
  const { redisUrl, natsUrl, kafkaBrokers } = config;
  return (redisUrl ?? natsUrl ?? kafkaBrokers) === undefined ? startEmbedded(config.dataDirectory) : undefined;
}

/** Creates the tables, the role of the URL with its password, and the policies. Repeating it changes nothing. */
async function provisionPostgres(adminUrl: string, roleUrl: string): Promise<void> {
  await createTables(adminUrl);
  const { username, password } = new URL(roleUrl);
  const provisioner = new PostgresProvisioner({
    config: { connectionString: adminUrl },
    tables: TABLES,
    tenantColumn: TENANT_COLUMN,
    login: { mode: 'setting', role: decodeURIComponent(username) },
  });
  await provisioner.provision(ANY_TENANT, { password: decodeURIComponent(password) });
}

/** The mode `setting` is safe here because callers cannot send SQL: all statements are this program's own. */
function createDriver(connectionString: string): PostgresDriver {
  return new PostgresDriver({
    config: { connectionString, application_name: 'data-proxy' },
    silenceMs: SILENCE_MS,
    separation: { type: 'row_level_security', mode: 'setting', tenantColumn: TENANT_COLUMN, tables: TABLES },
  });
}

async function startEmbedded(dataDirectory: string): Promise<OpenedPostgres> {
  const directory = resolve(dataDirectory);
  mkdirSync(directory, { recursive: true });
  // The server may run as another user, who must be able to pass through the directory.
  chmodSync(directory, 0o711);
  const embedded = await startEmbeddedPostgres({ directory: join(directory, 'data-proxy-postgres') });
  try {
    const roleUrl = new URL(embedded.url);
    roleUrl.username = ROLE;
    roleUrl.password = randomBytes(32).toString('base64url');
    await provisionPostgres(embedded.url, roleUrl.href);
    return { driver: createDriver(roleUrl.href), embedded };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

async function createTables(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  // A broken connection also fails the statement, where the error is handled.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(SCHEMA);
  } finally {
    await client.end();
  }
}
