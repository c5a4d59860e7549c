import { sql, type Kysely, type Migration } from 'kysely';

/**
 * Removes the two trails that the log was made of. Their rows are records of the log, so nothing is lost; a process that
 * still writes to them, of a version before the log, fails from here on.
 */
export const formerTrailsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`drop table audit_events, action_records, action_chain`.execute(db);
    await sql`drop function forward_audit_events, forward_action_records`.execute(db);
  },
};
