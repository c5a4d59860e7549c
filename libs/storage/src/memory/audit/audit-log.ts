import type { AuditEvent, AuditQuery, RecordedAuditEvent } from '@palisade/domain';
import { frozenCopy } from '../../json.js';

/** The latest events of a store, in a ring: beyond `maxEvents` the oldest are forgotten. */
export class AuditLog {
  private readonly ring: RecordedAuditEvent[] = [];
  private lastSequence = 0;

  constructor(private readonly maxEvents: number) {}

  append(event: AuditEvent): void {
    this.lastSequence += 1;
    const detail = event.detail && frozenCopy(event.detail);
    const recorded = { ...event, at: new Date(event.at), ...(detail && { detail }), sequence: this.lastSequence };
    this.ring[this.slotOf(this.lastSequence)] = recorded;
  }

  /** In order of sequence. */
  list(query: AuditQuery): RecordedAuditEvent[] {
    const found: RecordedAuditEvent[] = [];
    const oldest = Math.max(1, this.lastSequence - this.maxEvents + 1);
    for (let sequence = Math.max(oldest, (query.after ?? 0) + 1); sequence <= this.lastSequence; sequence += 1) {
      if (found.length >= query.limit) {
        break;
      }
      const event = this.ring[this.slotOf(sequence)];
      if (event && selects(query, event)) {
        found.push({ ...event, at: new Date(event.at) });
      }
    }
    return found;
  }

  private slotOf(sequence: number): number {
    return (sequence - 1) % this.maxEvents;
  }
}

function selects({ provider, namespaces, action }: AuditQuery, event: RecordedAuditEvent): boolean {
  return (
    (provider === undefined || event.provider === provider) &&
    (namespaces === undefined || (event.namespace !== undefined && namespaces.includes(event.namespace))) &&
    (action === undefined || event.action === action)
  );
}
