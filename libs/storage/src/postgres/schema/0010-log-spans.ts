import { sql, type Kysely, type Migration } from 'kysely';

/**
 * What times the records of each thousand positions have. Records are nearly in order of time, but a clock may have been
 * wrong: so this tells which positions a period cannot have, without an index of which most would be read.
 */
export const logSpansMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table log_spans (
        span bigint not null,
        earliest timestamptz(3) not null,
        latest timestamptz(3) not null,
        constraint log_spans_pkey primary key (span)
      ) with (fillfactor = 50)`.execute(db);
    await sql`comment on column log_spans.span is 'a thousandth of the positions, rounded down'`.execute(db);
    // Nobody seals until the migration has ended.
    await sql`lock table log_records in share row exclusive mode`.execute(db);
    await sql`
      insert into log_spans (span, earliest, latest)
      select position / 1000, min(at), max(at) from log_records group by 1`.execute(db);
  },
};
