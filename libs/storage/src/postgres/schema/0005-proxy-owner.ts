import { sql, type Kysely, type Migration } from 'kysely';

/** A proxy that was registered before belongs to nobody: only an admin may change it, until it is registered again. */
export const proxyOwnerMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table proxies add column owner text`.execute(db);
  },
};
