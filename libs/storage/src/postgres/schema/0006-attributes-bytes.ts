import { sql, type Kysely, type Migration } from 'kysely';

/** Size of what a client has set, so that a page ends before it is too large without reading what lies behind it. */
export const attributesBytesMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table resources
        add column attributes_bytes integer not null generated always as (octet_length(attributes::text)) stored
    `.execute(db);
  },
};
