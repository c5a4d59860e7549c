import type { NamespaceId } from '@palisade/domain';
import type { AuditSink } from '../audit/audit-trail.js';
import type { SessionId } from './session-id.js';

/** Why a session ended. */
export type SessionEndReason =
  | 'ended'
  | 'idle_timeout'
  | 'connection_lost'
  | 'connection_unusable'
  | 'connect_failed'
  | 'aborted'
  | 'shutdown'
  | 'audit_unavailable'
  | 'access_lost'
  | 'key_removed'
  | 'namespace_not_served';

interface SessionEventBase {
  readonly session_id: SessionId;
  /** ISO 8601 with milliseconds, UTC. */
  readonly timestamp: string;
}

/**
 * What the audit trail says about a session, in this order: it was created; each of its connections was established,
 * and closed; it was destroyed. Every session that was created is destroyed once, and only after its last connection
 * was closed.
 */
export type SessionEvent =
  | (SessionEventBase & {
      readonly event: 'session_created';
      readonly client_id: string;
      readonly namespace: NamespaceId;
    })
  | (SessionEventBase & {
      readonly event: 'connection_established';
      readonly backend: string;
      readonly connection_id: string;
    })
  | (SessionEventBase & {
      readonly event: 'connection_closed';
      readonly backend: string;
      readonly connection_id: string;
      readonly duration_ms: number;
    })
  | (SessionEventBase & {
      readonly event: 'session_destroyed';
      readonly duration_ms: number;
      readonly requests_handled: number;
      readonly reason: SessionEndReason;
    });

/** Where session events go. */
export type SessionAuditSink = AuditSink<SessionEvent>;
