import { type LogRecord, scopeOf, toRecordJson } from '@palisade/domain';
import { CompiledQuery } from 'kysely';
import { storableRecord } from '../../storable-record.js';
import type { Connection } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';

const COLUMNS =
  'scope, at, tenant_id, namespace, session_id, user_id, action, resource, result, rows_accessed, pii_accessed, request_id, detail';
const DEFINITIONS = `scope text, at timestamptz, tenant_id text, namespace text, session_id text, user_id text,
  action text, resource text, result text, rows_accessed bigint, pii_accessed boolean, request_id text, detail json`;
const QUALIFIED = COLUMNS.replaceAll(/\w+/g, 'record.$&');

const APPEND = prepared(
  `insert into log_unsealed (${COLUMNS}) select ${QUALIFIED} from json_to_recordset($1::json) as record(${DEFINITIONS})`,
);

/**
 * SQL that writes records, for use behind `with … as (…)`: they are written if the relation `source`, which is part of the
 * statement, has one row, and not if it has none.
 *
 * @param parameter number of the parameter that holds {@link recordParameter}
 */
export function recordInsert(source: string, parameter: number): string {
  return `insert into log_unsealed (${COLUMNS})
    select ${QUALIFIED}
    from ${source} cross join json_to_recordset($${parameter}::json) as record(${DEFINITIONS})`;
}

/**
 * SQL that writes what happened to many resources, for use behind `with … as (…)`: the records of those resources that the
 * relation `source (id, sequence)`, which is part of the statement, has; in the order of sequences.
 *
 * @param parameter number of the parameter that holds {@link recordParameter}, one record for each resource
 */
export function recordInsertOfEach(source: string, parameter: number): string {
  return `insert into log_unsealed (${COLUMNS})
    select ${QUALIFIED}
    from ${source} join json_to_recordset($${parameter}::json) as record(${DEFINITIONS}) on record.resource = ${source}.id
    order by ${source}.sequence`;
}

/** @throws {RangeError} as `storableRecord` */
export function recordParameter(records: readonly LogRecord[]): string {
  return JSON.stringify(records.map((record) => toColumns(storableRecord(record))));
}

/**
 * Writes records in the transaction of the change that they are about. This takes no lock: nobody waits for anybody.
 *
 * @throws {RangeError} as `storableRecord`
 */
export async function appendRecords(transaction: Connection, records: readonly LogRecord[]): Promise<void> {
  if (records.length > 0) {
    await transaction.executeQuery(CompiledQuery.raw(APPEND, [recordParameter(records)]));
  }
}

function toColumns(record: LogRecord): object {
  const { timestamp, provider: _provider, ...columns } = toRecordJson(record);
  return { scope: scopeOf(record), at: timestamp, ...columns };
}
