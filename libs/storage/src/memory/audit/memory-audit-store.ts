import { AuditStore, type AuditEvent, type AuditQuery, type RecordedAuditEvent } from '@palisade/domain';
import type { MemoryState } from '../memory-state.js';

export class MemoryAuditStore extends AuditStore {
  constructor(private readonly state: MemoryState) {
    super();
  }

  override async append(events: readonly AuditEvent[]): Promise<void> {
    this.state.requireOpen();
    for (const event of events) {
      this.state.audit.append(event);
    }
  }

  override async list(query: AuditQuery): Promise<RecordedAuditEvent[]> {
    this.state.requireOpen();
    return this.state.audit.list(query);
  }
}
