import type { AuditEvent } from '@palisade/domain';
import { sql } from 'kysely';
import type { Connection } from '../connection/database.js';

const COLUMNS = 'at, actor, action, resource, result, provider, namespace, request_id, detail';
const DEFINITIONS = `at timestamptz, actor text, action text, resource text, result text, provider text, namespace text, request_id text, detail json`;

/**
 * SQL that records events, for use behind `with … as (…)`: they are recorded if the relation `source`, of which it is
 * part of the statement, has one row, and not if it has none.
 *
 * @param parameter number of the parameter that holds {@link auditParameter}
 */
export function auditInsert(source: string, parameter: number): string {
  return `insert into audit_events (${COLUMNS})
    select ${COLUMNS.replaceAll(/\w+/g, 'event.$&')}
    from ${source} cross join json_to_recordset($${parameter}::json) as event(${DEFINITIONS})`;
}

/**
 * SQL that records what happened to many resources, for use behind `with … as (…)`: of the events those whose resource the
 * relation `source (id, sequence)`, of which it is part of the statement, has; in the order of sequences.
 *
 * @param parameter number of the parameter that holds {@link auditParameter}, one event for each resource
 */
export function auditInsertOfEach(source: string, parameter: number): string {
  return `insert into audit_events (${COLUMNS})
    select ${COLUMNS.replaceAll(/\w+/g, 'event.$&')}
    from ${source} join json_to_recordset($${parameter}::json) as event(${DEFINITIONS}) on event.resource = ${source}.id
    order by ${source}.sequence`;
}

export function auditParameter(events: readonly AuditEvent[]): string {
  return JSON.stringify(
    events.map(({ requestId, ...event }) => ({ ...event, request_id: requestId })),
    replaceNull,
  );
}

export async function recordEvents(connection: Connection, events: readonly AuditEvent[]): Promise<void> {
  const columns = sql.raw(COLUMNS);
  await sql`
    insert into audit_events (${columns})
    select ${columns} from json_to_recordset(${auditParameter(events)}::json) as event(${sql.raw(DEFINITIONS)})
  `.execute(connection);
}

/** PostgreSQL has no U+0000 in text, and what a refused request tried to name may contain one. */
function replaceNull(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}
