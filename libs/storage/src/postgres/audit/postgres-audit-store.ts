import { AuditStore, type AuditEvent, type AuditQuery, type RecordedAuditEvent } from '@palisade/domain';
import { sql, type Selectable } from 'kysely';
import type { Database } from '../connection/database.js';
import type { AuditEventsTable } from '../connection/tables.js';
import { isStorable } from '../../storable-text.js';
import { recordEvents } from './audit-sql.js';

/**
 * The audit trail in PostgreSQL. A sequence number is taken when a change is made and shows when it is committed: an
 * event of a slow change can appear behind one that a reader has seen already.
 */
export class PostgresAuditStore extends AuditStore {
  constructor(private readonly database: Database) {
    super();
  }

  override append(events: readonly AuditEvent[]): Promise<void> {
    return this.database.run((connection) => recordEvents(connection, events));
  }

  override async list({ after, provider, namespaces, action, limit }: AuditQuery): Promise<RecordedAuditEvent[]> {
    if (![provider, action].every((text) => text === undefined || isStorable(text))) {
      return [];
    }
    const rows = await this.database.run((connection) => {
      let query = connection.selectFrom('audit_events').selectAll().orderBy('sequence').limit(limit);
      query = after === undefined ? query : query.where('sequence', '>', after);
      query = provider === undefined ? query : query.where('provider', '=', provider);
      query = action === undefined ? query : query.where('action', '=', action);
      query =
        namespaces === undefined
          ? query
          : query.where(sql<boolean>`namespace = any(${namespaces.filter(isStorable)}::text[])`);
      return query.execute();
    });
    return rows.map(toEvent);
  }
}

function toEvent(row: Selectable<AuditEventsTable>): RecordedAuditEvent {
  const { sequence, at, actor, action, resource, result, provider, namespace, request_id, detail } = row;
  return {
    sequence,
    at,
    actor,
    action,
    resource,
    result,
    ...(provider !== null && { provider }),
    ...(namespace !== null && { namespace }),
    ...(request_id !== null && { requestId: request_id }),
    ...(detail !== null && { detail }),
  };
}
