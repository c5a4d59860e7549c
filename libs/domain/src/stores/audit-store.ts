import type { AuditEvent, AuditQuery, RecordedAuditEvent } from '../audit/audit-event.js';

/** The audit trail. Changes append to it in their own transaction; refused attempts are appended here. */
export abstract class AuditStore {
  abstract append(events: readonly AuditEvent[]): Promise<void>;

  /** In order of sequence. */
  abstract list(query: AuditQuery): Promise<RecordedAuditEvent[]>;
}
