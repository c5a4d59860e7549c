import { sealRecords, type LogPoint, type SealedRecord } from '@palisade/domain';
import { CompiledQuery, sql, type Selectable } from 'kysely';
import type { Connection } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';
import type { LogUnsealedTable } from '../connection/tables.js';
import { toRecord } from './record-row.js';

const MAX_SEALED_AT_ONCE = 1000;
/** Positions that a row of `log_spans` describes. */
export const SPAN = 1000;

/**
 * One statement, so that no lock outlives the process that seals. It does nothing unless the head is still where this
 * process has read it: of two that seal the same records one succeeds.
 */
const SEAL = prepared(`
  with moved as (
    update log_ends set position = $2, seal = decode($3, 'hex') where name = 'head' and position = $1 returning 1
  ), placed as (
    select record.* from json_to_recordset($4::json) as record(
      id bigint, scope text, position bigint, previous_hash text, hash text, seal text)
    where exists (select 1 from moved)
  ), taken as (
    delete from log_unsealed unsealed using placed
    where unsealed.scope = placed.scope and unsealed.id = placed.id
    returning unsealed.*, placed.position, placed.previous_hash, placed.hash, placed.seal
  ), sealed as (
    insert into log_records (
      scope, position, at, tenant_id, namespace, session_id, user_id, action, resource, result, rows_accessed,
      pii_accessed, request_id, detail, previous_hash, hash, seal)
    select
      scope, position, at, tenant_id, namespace, session_id, user_id, action, resource, result, rows_accessed,
      pii_accessed, request_id, detail, decode(previous_hash, 'hex'), decode(hash, 'hex'), decode(seal, 'hex')
    from taken order by position
  ), ended as (
    insert into log_scopes (scope, hash)
    select distinct on (scope) scope, decode(hash, 'hex') from placed order by scope, position desc
    on conflict (scope) do update set hash = excluded.hash
  ), spanned as (
    insert into log_spans as known (span, earliest, latest)
    select position / ${SPAN}, min(at), max(at) from taken group by 1
    on conflict (span) do update
    set earliest = least(known.earliest, excluded.earliest), latest = greatest(known.latest, excluded.latest)
  )
  select 1 from moved`);

type UnsealedRow = Selectable<LogUnsealedTable> & { readonly scope_hash: Buffer | null };

/**
 * See `LogStore.seal`. What a statement sees was committed by transactions that have ended; what commits later gets a later
 * position. Records of one scope are in the order in which they were written.
 */
export async function sealUnsealed(connection: Connection): Promise<number> {
  const head = await findHead(connection);
  const rows = await findUnsealed(connection);
  if (rows.length === 0) {
    return 0;
  }
  const sealed = sealRecords(rows.map(toRecord), head, hashesOf(rows));
  const last = sealed.at(-1) ?? head;
  const places = sealed.map((record, index) => placeOf(record, rows[index]?.id));
  const parameters = [head.position, last.position, last.seal, JSON.stringify(places)];
  const { rows: moved } = await connection.executeQuery(CompiledQuery.raw(SEAL, parameters));
  return moved.length > 0 ? sealed.length : 0;
}

export async function findHead(connection: Connection): Promise<LogPoint> {
  const query = connection.selectFrom('log_ends').select(['position', 'seal']).where('name', '=', 'head');
  const { position, seal } = await query.executeTakeFirstOrThrow();
  return { position, seal: seal.toString('hex') };
}

async function findUnsealed(connection: Connection): Promise<UnsealedRow[]> {
  const { rows } = await sql<UnsealedRow>`
    select unsealed.*, last.hash as scope_hash
    from log_unsealed unsealed left join log_scopes last on last.scope = unsealed.scope
    order by unsealed.id limit ${sql.lit(MAX_SEALED_AT_ONCE)}
  `.execute(connection);
  return rows;
}

function hashesOf(rows: readonly UnsealedRow[]): Map<string, string> {
  return new Map(rows.flatMap(({ scope, scope_hash: hash }) => (hash ? [[scope, hash.toString('hex')]] : [])));
}

function placeOf({ scope, position, previousHash, hash, seal }: SealedRecord, id: number | undefined): object {
  return { id, scope, position, previous_hash: previousHash, hash, seal };
}
