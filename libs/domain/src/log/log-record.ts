import type { JsonObject } from '../values/json.js';

/** Who makes a change, and when; stored with the change itself. */
export interface ChangeContext {
  /** The authenticated identity, e.g. `token:<id>` or an admin's name. */
  readonly actor: string;
  readonly requestId?: string;
  readonly at: Date;
}

/** Who did what, to what, and how it ended: document 2's audit record. Never holds secrets or attribute values. */
export interface LogRecord {
  readonly timestamp: Date;
  /** The identity provider concerned; a record without one belongs to {@link SERVICE_SCOPE}. */
  readonly provider?: string;
  readonly tenantId?: string;
  readonly namespace?: string;
  /** UUID. */
  readonly sessionId?: string;
  /** An e-mail address, or the name of the credential. */
  readonly userId: string;
  /** Dotted: `user.create`, `tenant.register`, `loadbalancer.apply`, `authentication`. */
  readonly action: string;
  /** Identifier of what was acted on. */
  readonly resource: string;
  readonly result: 'success' | 'denied' | 'failure';
  readonly rowsAccessed?: number;
  readonly piiAccessed?: boolean;
  readonly requestId?: string;
  /** What else an auditor needs: a hash, a version, a reason. Names are in snake_case. */
  readonly detail?: JsonObject;
}

/** A record that has its final place in the log. */
export interface SealedRecord extends LogRecord {
  /** In the whole log: from 1, without gaps. */
  readonly position: number;
  /** The provider, or {@link SERVICE_SCOPE}. */
  readonly scope: string;
  /** `hash` of the record before it in the same scope; 64 zeros for the first. */
  readonly previousHash: string;
  /** SHA-256, in hexadecimal, over `previousHash` and this record in its canonical form. */
  readonly hash: string;
  /** SHA-256, in hexadecimal, over the `seal` of the record at the position before and this `hash`: covers every scope. */
  readonly seal: string;
}

/** The scope of what belongs to no provider. No provider can have this name: it has an underscore. */
export const SERVICE_SCOPE = 'control_plane';

/** Records of one scope are kept together, in order and in one chain. */
export function scopeOf({ provider }: Pick<LogRecord, 'provider'>): string {
  return provider ?? SERVICE_SCOPE;
}
