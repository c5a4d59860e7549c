import { Injectable } from '@nestjs/common';
import { Store, type AuditQuery, type RecordedAuditEvent } from '@palisade/domain';
import type { AdminPrincipal } from '@palisade/guards';

@Injectable()
export class AuditService {
  constructor(private readonly store: Store) {}

  /** Events in order of sequence; admins of some namespaces see those of their namespaces only. */
  list(admin: AdminPrincipal, query: Omit<AuditQuery, 'namespaces'>): Promise<RecordedAuditEvent[]> {
    const namespaces = admin.namespaces === '*' ? undefined : admin.namespaces;
    return this.store.audit.list({ ...query, namespaces });
  }
}
