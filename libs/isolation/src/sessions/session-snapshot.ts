export interface SessionsSnapshot {
  /** Whether new sessions are taken; false from the beginning of the shutdown on. */
  readonly isOpening: boolean;
  /** Those that are being set up or torn down included. */
  readonly sessions: number;
  readonly maxSessions: number;
  readonly connections: readonly { readonly backend: string; readonly total: number; readonly max: number }[];
  /** How often a session was asked for by a client, or for a namespace, that it does not belong to. */
  readonly foreignAttempts: number;
  readonly audit: { readonly isHealthy: boolean; readonly queued: number; readonly dropped: number };
}
