import { sql, type Kysely, type Migration } from 'kysely';

/**
 * Marks the bindings of a provider that was deleted. Where no provider is registered, nothing tells the bindings of a
 * deleted one from those made in advance, so they are all suspended.
 */
export const suspendedBindingsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table bindings add column is_suspended boolean not null default false`.execute(db);
    await sql`
      update bindings b set is_suspended = true where not exists (select 1 from providers p where p.id = b.provider_id)
    `.execute(db);
  },
};
