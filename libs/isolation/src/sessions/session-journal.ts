import type { Clock } from '../time/clock.js';
import type { AuditTrail } from './audit-trail.js';
import type { SessionConnection } from './dedicated-connection.js';
import type { SessionEndReason } from './session-event.js';
import type { ManagedSession } from './session.js';

/** Writes what happens to sessions into the audit trail. */
export class SessionJournal {
  constructor(
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Resolves when that is written; rejects when it cannot be, unless events are optional. */
  created({ id, clientId, namespace, createdAt }: ManagedSession): Promise<void> {
    return this.trail.recordFirst({
      event: 'session_created',
      session_id: id,
      client_id: clientId,
      namespace,
      timestamp: createdAt.toISOString(),
    });
  }

  established({ id }: ManagedSession, connection: SessionConnection<unknown>): void {
    this.trail.record({
      event: 'connection_established',
      session_id: id,
      backend: connection.backend,
      connection_id: connection.id,
      timestamp: connection.establishedAt.toISOString(),
    });
  }

  closed({ id }: ManagedSession, connection: SessionConnection<unknown>): void {
    this.trail.record({
      event: 'connection_closed',
      session_id: id,
      backend: connection.backend,
      connection_id: connection.id,
      duration_ms: this.#since(connection.openedAtMs),
      timestamp: this.#now(),
    });
  }

  destroyed({ id, createdAtMs, requestsHandled }: ManagedSession, reason: SessionEndReason): void {
    this.trail.record({
      event: 'session_destroyed',
      session_id: id,
      duration_ms: this.#since(createdAtMs),
      requests_handled: requestsHandled,
      reason,
      timestamp: this.#now(),
    });
  }

  #since(sinceMs: number): number {
    return Math.round(this.clock.now() - sinceMs);
  }

  #now(): string {
    return this.clock.date().toISOString();
  }
}
