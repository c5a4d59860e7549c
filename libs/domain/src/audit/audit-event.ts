import type { JsonObject } from '../values/json.js';

/** Who makes a change, and when; stored with the change itself. */
export interface ChangeContext {
  /** The authenticated identity, e.g. `token:<id>` or an admin's name. */
  readonly actor: string;
  readonly requestId?: string;
  readonly at: Date;
}

/** What happened or was refused. Never holds secrets or attribute values. */
export interface AuditEvent {
  readonly at: Date;
  readonly actor: string;
  /** Dotted: `user.create`, `group.update`, `binding.add`, `token.revoke`, `authentication`. */
  readonly action: string;
  /** Identifier of what was acted on. */
  readonly resource: string;
  readonly result: 'success' | 'denied' | 'failure';
  readonly provider?: string;
  readonly namespace?: string;
  readonly requestId?: string;
  readonly detail?: JsonObject;
}

export interface RecordedAuditEvent extends AuditEvent {
  /** Increases with each event; a cursor for reading on. */
  readonly sequence: number;
}

export interface AuditQuery {
  readonly after?: number;
  readonly provider?: string;
  readonly namespaces?: readonly string[];
  readonly action?: string;
  readonly limit: number;
}
