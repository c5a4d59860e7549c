export interface DedicatedBackendSettings {
  /** Connections of all sessions together, those that are opening or closing included. */
  readonly maxConnections: number;
  /** Connections of one session. */
  readonly perSessionLimit: number;
}

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

export interface DedicatedSettings extends SessionSettings {
  /** How long making one connection may take. */
  readonly connectTimeoutMs: number;
  /** By name. */
  readonly backends: ReadonlyMap<string, DedicatedBackendSettings>;
}

/** Half of all sessions, rounded up, so that one client alone cannot take every session from the others. */
export function defaultSessionsPerClient(maxSessions: number): number {
  return Math.ceil(maxSessions / 2);
}
