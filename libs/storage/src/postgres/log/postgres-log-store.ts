import {
  LOG_START,
  LogStore,
  SERVICE_SCOPE,
  type LogEnds,
  type LogPoint,
  type LogQuery,
  type LogRecord,
  type SealedRecord,
  type UnsealedRecords,
} from '@palisade/domain';
import { sql } from 'kysely';
import { isStorable } from '../../storable-text.js';
import type { Connection, Database } from '../connection/database.js';
import { appendRecords } from './append-records.js';
import { toSealedRecord } from './record-row.js';
import { removeRecords } from './remove-records.js';
import { SPAN, sealUnsealed } from './seal-records.js';

/**
 * The log in PostgreSQL: `log_unsealed` is written with each change, `log_records` by whoever seals. Both have the scope
 * first in their key, so that they distribute with the tables of the provider.
 */
export class PostgresLogStore extends LogStore {
  constructor(private readonly database: Database) {
    super();
  }

  override append(records: readonly LogRecord[]): Promise<void> {
    return this.database.run((connection) => appendRecords(connection, records));
  }

  override seal(): Promise<number> {
    return this.database.run(sealUnsealed);
  }

  override async list(query: LogQuery): Promise<SealedRecord[]> {
    const { userId, action, provider, tenantId, namespace } = query;
    const texts = [userId, action, provider, tenantId, namespace];
    if (provider === SERVICE_SCOPE || !texts.every((text) => text === undefined || isStorable(text))) {
      return [];
    }
    const rows = await this.database.run((connection) => select(connection, query).execute());
    return rows.map(toSealedRecord);
  }

  override async ends(): Promise<LogEnds> {
    const rows = await this.database.run((connection) => connection.selectFrom('log_ends').selectAll().execute());
    const pointAt = (end: 'removed' | 'head'): LogPoint => {
      const row = rows.find(({ name }) => name === end);
      return row ? { position: row.position, seal: row.seal.toString('hex') } : LOG_START;
    };
    return { removed: pointAt('removed'), head: pointAt('head') };
  }

  override async unsealed(): Promise<UnsealedRecords> {
    const { count, oldest } = await this.database.run((connection) =>
      connection
        .selectFrom('log_unsealed')
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('written_at').as('oldest')])
        .executeTakeFirstOrThrow(),
    );
    return { count, ...(oldest !== null && { oldest }) };
  }

  override async removeBefore(before: Date, through?: number): Promise<number> {
    for (let total = 0; ;) {
      const { count, isPartial } = await this.database.transaction((transaction) =>
        removeRecords(transaction, before, through),
      );
      total += count;
      if (!isPartial) {
        return total;
      }
    }
  }

  override async readThrough(): Promise<number | undefined> {
    const { position } = await this.database.run((connection) =>
      connection
        .selectFrom('log_readers')
        .select(({ fn }) => fn.min('position').as('position'))
        .executeTakeFirstOrThrow(),
    );
    return position ?? undefined;
  }

  override async findReader(name: string): Promise<LogPoint | undefined> {
    const row = await this.database.run((connection) =>
      connection.selectFrom('log_readers').select(['position', 'seal']).where('name', '=', name).executeTakeFirst(),
    );
    return row && { position: row.position, seal: row.seal.toString('hex') };
  }

  override async moveReader(name: string, { position, seal }: LogPoint): Promise<void> {
    await this.database.run((connection) =>
      sql`
        insert into log_readers as reader (name, position, seal) values (${name}, ${position}, decode(${seal}, 'hex'))
        on conflict (name) do update set position = excluded.position, seal = excluded.seal
        where reader.position < excluded.position
      `.execute(connection),
    );
  }
}

/** No record at this time or later has a lower position; null when there is none. */
function firstPosition(since: Date) {
  return sql<number>`(select min(span) * ${sql.lit(SPAN)} from log_spans where latest >= ${since})`;
}

/** No record before this time has this position or a higher one; null when there is none. */
function endPosition(until: Date) {
  return sql<number>`(select (max(span) + 1) * ${sql.lit(SPAN)} from log_spans where earliest < ${until})`;
}

function select(connection: Connection, query: LogQuery) {
  const { after, before, order = 'asc', since, until, userId, action, provider, tenantId, limit } = query;
  const { namespace, namespaces } = query;
  let rows = connection.selectFrom('log_records').selectAll().orderBy('position', order).limit(limit);
  rows = after === undefined ? rows : rows.where('position', '>', after);
  rows = before === undefined ? rows : rows.where('position', '<', before);
  // Without the positions, reading forward since a time would look at all records before it.
  rows = since === undefined ? rows : rows.where('at', '>=', since).where('position', '>=', firstPosition(since));
  rows = until === undefined ? rows : rows.where('at', '<', until).where('position', '<', endPosition(until));
  rows = userId === undefined ? rows : rows.where('user_id', '=', userId);
  rows = action === undefined ? rows : rows.where('action', '=', action);
  rows = provider === undefined ? rows : rows.where('scope', '=', provider);
  rows = tenantId === undefined ? rows : rows.where('tenant_id', '=', tenantId);
  rows = namespace === undefined ? rows : rows.where('namespace', '=', namespace);
  return namespaces === undefined
    ? rows
    : rows.where(sql<boolean>`namespace = any(${namespaces.filter(isStorable)}::text[])`);
}
