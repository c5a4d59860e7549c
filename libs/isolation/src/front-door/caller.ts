import type { NamespaceId } from '@palisade/domain';
import type { SessionId } from '../sessions/session-id.js';

/** For whom work is done, as authenticated; never as the caller says of itself. */
export interface IsolationCaller {
  readonly namespace: NamespaceId;
  readonly clientId: string;
  /** For records: an e-mail address, say. The client stands in for it. */
  readonly userId?: string;
  readonly tenantId?: string;
  /** At the isolation level `session`: which of the client's sessions. */
  readonly session?: SessionId;
}

export interface RunOptions {
  /** The work has to end when it aborts. */
  readonly signal?: AbortSignal;
  /** For the action record: what is done, dotted. Default `<backend>.use`. */
  readonly action?: string;
  /** For the action record: to what. Default: the backend's name. */
  readonly resource?: string;
  /** For the action record: whether personal data is accessed. */
  readonly piiAccessed?: boolean;
}
