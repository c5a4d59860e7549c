import { sql, type Kysely, type Migration } from 'kysely';

export const versionEpochMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table load_balancer_versions add column epoch bigint`.execute(db);
  },
};
