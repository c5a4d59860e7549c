import type { Clock } from '@palisade/async';
import { AuditTrail } from '../audit/audit-trail.js';
import type { SessionConnection } from './dedicated-connection.js';
import type { SessionAuditSink, SessionEvent } from './session-event.js';
import type { SessionAuditSettings } from './session-settings.js';
import type { ManagedSession } from './session.js';

export interface SessionsSnapshot {
  /** Whether new sessions are taken; false from the beginning of the shutdown on. */
  readonly isOpening: boolean;
  /** Those that are being set up or torn down included. */
  readonly sessions: number;
  readonly maxSessions: number;
  /** How often a session was asked for by a client, or for a namespace, that it does not belong to. */
  readonly foreignAttempts: number;
  readonly audit: { readonly isHealthy: boolean; readonly queued: number; readonly dropped: number };
}

export interface SessionJournalOptions {
  readonly sink: SessionAuditSink | undefined;
  readonly settings: SessionAuditSettings;
  readonly clock: Clock;
}

/** Writes what happens to sessions into an audit trail, as far as that is to be logged and there is a sink. */
export class SessionJournal {
  readonly #clock: Clock;
  #settings: SessionAuditSettings;
  readonly #trail: AuditTrail<SessionEvent> | undefined;

  constructor({ sink, settings, clock }: SessionJournalOptions) {
    this.#clock = clock;
    this.#settings = settings;
    this.#trail = sink && new AuditTrail({ sink, clock, isMandatory: () => this.#settings.isMandatory });
  }

  /** Changes what is recorded from now on. */
  reconfigure(settings: SessionAuditSettings): void {
    this.#settings = settings;
  }

  /** False while events that are mandatory cannot be written. */
  get permitsSessions(): boolean {
    return !this.#settings.isMandatory || this.#trail?.isHealthy === true;
  }

  /** Resolves when that is written; rejects when it cannot be, unless events are optional. */
  async created({ id, clientId, namespace, createdAt }: ManagedSession): Promise<void> {
    if (this.#settings.logsSessions) {
      await this.#trail?.recordFirst({
        event: 'session_created',
        session_id: id,
        client_id: clientId,
        namespace,
        timestamp: createdAt.toISOString(),
      });
    }
  }

  established({ id }: ManagedSession, connection: SessionConnection<unknown>): void {
    if (this.#settings.logsConnections) {
      this.#trail?.record({
        event: 'connection_established',
        session_id: id,
        backend: connection.backend,
        connection_id: connection.id,
        timestamp: connection.establishedAt.toISOString(),
      });
    }
  }

  closed({ id }: ManagedSession, connection: SessionConnection<unknown>): void {
    if (this.#settings.logsConnections) {
      this.#trail?.record({
        event: 'connection_closed',
        session_id: id,
        backend: connection.backend,
        connection_id: connection.id,
        duration_ms: this.#since(connection.openedAtMs),
        timestamp: this.#now(),
      });
    }
  }

  destroyed({ id, createdAtMs, requestsHandled, endReason = 'ended' }: ManagedSession): void {
    if (this.#settings.logsSessions) {
      this.#trail?.record({
        event: 'session_destroyed',
        session_id: id,
        duration_ms: this.#since(createdAtMs),
        requests_handled: requestsHandled,
        reason: endReason,
        timestamp: this.#now(),
      });
    }
  }

  /** Resolves when everything is written. */
  async flush(): Promise<void> {
    await this.#trail?.flush();
  }

  snapshot(): SessionsSnapshot['audit'] {
    return {
      isHealthy: this.#trail?.isHealthy ?? true,
      queued: this.#trail?.queued ?? 0,
      dropped: this.#trail?.dropped ?? 0,
    };
  }

  #since(sinceMs: number): number {
    return Math.round(this.#clock.now() - sinceMs);
  }

  #now(): string {
    return this.#clock.date().toISOString();
  }
}
