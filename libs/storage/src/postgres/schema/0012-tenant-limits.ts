import { sql, type Kysely, type Migration } from 'kysely';

/** A tenant may have limits of its own on requests, CPU time and memory of each of its namespaces. */
export const tenantLimitsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table tenants add column resource_limits json`.execute(db);
  },
};
