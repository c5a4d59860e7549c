import type { NamespaceId } from '@palisade/domain';
import type { AccessDemand } from '../control-plane/access-decisions.js';
import type { DriverClass } from '../backends/backend-driver.js';
import type { SessionId } from '../sessions/session-id.js';
import type { LinkedAbort } from './linked-abort.js';

/** The caller that work is done for, as it was authenticated; never as it describes itself. */
export interface IsolationCaller {
  readonly namespace: NamespaceId;
  readonly clientId: string;
  /** For records: an e-mail address, say. The client stands in for it. */
  readonly userId?: string;
  /** For records, when no policy says whose the namespace is. */
  readonly tenantId?: string;
  /** Who has to be allowed what, where the control plane decides that; absent for a caller who is not a user. */
  readonly access?: AccessDemand;
  /** Which of the client's sessions; required at the isolation level `session`. */
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
  /** The work lasts as long as the caller wants, such as a subscription: its duration is not counted as latency. */
  readonly isLongLived?: boolean;
}

/** A connection for the time of one piece of work. */
export interface LeasedConnection<C> {
  readonly connection: C;
  /** Whether nobody but the caller will ever use it. */
  readonly isOwn?: boolean;
  /** Says that the state of the connection is not known: it will not be used again. */
  markUnusable(): void;
}

/** What a caller wants a connection to. */
export interface Wanted<C> {
  readonly caller: IsolationCaller;
  readonly backend: string;
  readonly driverClass: DriverClass<C>;
  /** Told to abort when the connection is about to be taken back. */
  readonly abort: LinkedAbort;
}
