import { sql, type Kysely, type Migration } from 'kysely';

/** What the last heartbeat of a proxy said. */
export const proxyReportsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table proxies add column instance text, add column version text, add column policy jsonb`.execute(
      db,
    );
  },
};
