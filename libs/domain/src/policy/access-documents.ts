/**
 * The event `access`: what a proxy knows of these users or namespaces is to be asked again, because somebody may have lost
 * access. Empty, it says that nothing else has changed: one comes every {@link ACCESS_CONFIRMATION_MS} while the control plane
 * can read the log, and only these events, not comments, tell a proxy that what it knows still holds.
 */
export interface AccessChange {
  /** Full identifiers of users. */
  readonly users: readonly string[];
  readonly namespaces: readonly string[];
  /** All of whose users may have lost access: a group that others contain was deleted, say. */
  readonly providers: readonly string[];
  /** The control plane cannot tell what has changed. */
  readonly everything?: true;
}

/** One question of `POST /api/v1/proxies/{id}/access`. */
export interface AccessQuestionDocument {
  /** Full identifier, or external id together with `provider`. */
  readonly user: string;
  readonly provider?: string;
  readonly namespace: string;
  readonly relation: 'read' | 'write' | 'admin';
}

export interface AccessAnswerDocument {
  readonly allowed: boolean;
  /** Full identifier of the user; absent when there is no such user. */
  readonly user?: string;
  /** The groups from the user's own up to the bound one, and the relation of the binding; only when allowed. */
  readonly because?: { readonly groups: readonly string[]; readonly relation: string };
  /** Only when not allowed. */
  readonly reason?: string;
}

/** Questions of one request at most. */
export const MAX_ACCESS_QUESTIONS = 1000;

/** An `access` event comes at least this often. */
export const ACCESS_CONFIRMATION_MS = 1000;
