import type { NamespaceId } from '@palisade/domain';
import type { ConnectionDriver } from '../pools/connection-driver.js';
import type { NamespacePools } from '../pools/namespace-pools.js';

export interface SessionAuditSettings {
  readonly logsSessions: boolean;
  readonly logsConnections: boolean;
  /** Whether new sessions are rejected while events cannot be written. */
  readonly isMandatory: boolean;
}

export interface SessionSettings {
  /** At once, those that are being set up or torn down included. */
  readonly maxSessions: number;
  readonly maxSessionsPerNamespace: number;
  readonly maxSessionsPerClient: number;
  /** A session without a request under way ends after this time. */
  readonly sessionTimeoutMs: number;
  /** How long the requests of a session that ends may take to finish. */
  readonly drainTimeoutMs: number;
  readonly audit: SessionAuditSettings;
}

/** A backend that sessions have connections to. */
export interface SessionBackend {
  readonly name: string;
  /** For its class. */
  readonly driver: ConnectionDriver<unknown>;
  readonly pools: Pick<NamespacePools<unknown>, 'acquireOwn'>;
  /** How many connections one session of a namespace may have. */
  perSessionLimit(namespace: NamespaceId): number;
}

/** Half of all sessions, rounded up, so that one client alone cannot take every session from the others. */
export function defaultSessionsPerClient(maxSessions: number): number {
  return Math.ceil(maxSessions / 2);
}
