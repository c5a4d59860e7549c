import { sql, type Kysely, type Migration } from 'kysely';

/**
 * How caps are divided among proxies, and what these report. A ledger is read and written as a whole. Reports come every few
 * seconds, so they are not worth a place in the write-ahead log.
 */
export const capsAndUsageMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table cap_ledgers (pool text, backend text, ledger json not null, primary key (pool, backend))
    `.execute(db);
    await sql`
      create unlogged table proxy_usage (
        proxy text collate "C" primary key, pool text not null, at timestamptz not null, usage json not null
      )
    `.execute(db);
  },
};
