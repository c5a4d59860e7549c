import { StoreUnavailableError } from '@palisade/domain';
import { Migrator, sql, type Migration } from 'kysely';
import type { Connection } from '../connection/database.js';
import { withConnection } from '../connection/connection-pools.js';
import type { PostgresOptions } from '../connection/postgres-options.js';
import { toStoreError } from '../connection/store-error.js';
import { directoryMigration } from './0001-directory.js';
import { controlPlaneMigration } from './0002-control-plane.js';
import { versionEpochMigration } from './0003-version-epoch.js';
import { oneLogMigration } from './0004-one-log.js';
import { proxyOwnerMigration } from './0005-proxy-owner.js';
import { attributesBytesMigration } from './0006-attributes-bytes.js';
import { suspendedBindingsMigration } from './0007-suspended-bindings.js';
import { proxyReportsMigration } from './0008-proxy-reports.js';
import { capsAndUsageMigration } from './0009-caps-and-usage.js';
import { logSpansMigration } from './0010-log-spans.js';
import { formerTrailsMigration } from './0011-former-trails.js';
import { tenantLimitsMigration } from './0012-tenant-limits.js';

/** In order of name. A released migration is never changed; another one is added instead. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-directory': directoryMigration,
  '0002-control-plane': controlPlaneMigration,
  '0003-version-epoch': versionEpochMigration,
  '0004-one-log': oneLogMigration,
  '0005-proxy-owner': proxyOwnerMigration,
  '0006-attributes-bytes': attributesBytesMigration,
  '0007-suspended-bindings': suspendedBindingsMigration,
  '0008-proxy-reports': proxyReportsMigration,
  '0009-caps-and-usage': capsAndUsageMigration,
  '0010-log-spans': logSpansMigration,
  '0011-former-trails': formerTrailsMigration,
  '0012-tenant-limits': tenantLimitsMigration,
};

const LATEST = Object.keys(MIGRATIONS).at(-1) ?? '';
const MIGRATION_TABLE = 'directory_migrations';
const MIGRATION_LOCK_TABLE = 'directory_migration_lock';
const MINIMUM_SERVER_VERSION = 140_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * Brings the schema up to date, one caller at a time: the others wait on the migration lock, however long that takes.
 * A schema that a later version of the software has migrated further is left alone.
 *
 * @throws {StoreUnavailableError}
 */
export async function migrateSchema(url: string, options: PostgresOptions): Promise<void> {
  try {
    await withConnection(url, { ...options, statementTimeoutMs: 0 }, async (connection) => {
      await requireSuitableServer(connection);
      if (!(await isUpToDate(connection))) {
        await migrateToLatest(connection);
      }
    });
  } catch (error) {
    throw toStoreError(error);
  }
}

/** @throws {StoreUnavailableError} unless the schema has everything that this version needs */
export async function requireSchema(connection: Connection): Promise<void> {
  if (!(await isUpToDate(connection))) {
    const cause = new Error(`the database schema lacks "${LATEST}", run the migrations first`);
    throw new StoreUnavailableError(RETRY_AFTER_SECONDS, { cause });
  }
}

async function isUpToDate(connection: Connection): Promise<boolean> {
  const tables = await sql`select 1 where to_regclass(${MIGRATION_TABLE}) is not null`.execute(connection);
  if (tables.rows.length === 0) {
    return false;
  }
  const latest = await sql`select 1 from ${sql.id(MIGRATION_TABLE)} where name = ${LATEST}`.execute(connection);
  return latest.rows.length > 0;
}

async function requireSuitableServer(connection: Connection): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding
  `.execute(connection);
  const [server] = rows;
  if (!server || server.version < MINIMUM_SERVER_VERSION || server.encoding !== 'UTF8') {
    throw new Error(
      `expected PostgreSQL 14 or later with encoding UTF8, found version ${server?.version} with ${server?.encoding}`,
    );
  }
}

async function migrateToLatest(db: Connection): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: MIGRATION_LOCK_TABLE,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw error;
  }
}
