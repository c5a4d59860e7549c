import type { NamespaceId, TenantId } from '@palisade/domain';
import type { AccessDemand } from '../control-plane/access-decisions.js';
import { UnknownBackendError } from '../backends/backend.errors.js';
import type { SessionBackend, SessionSettings } from './session-settings.js';
import { SessionLimitError } from './session.errors.js';

/** The owner of a session, as it was authenticated. */
export interface SessionOwner {
  readonly namespace: NamespaceId;
  readonly clientId: string;
  /** Whose the namespace was when the session was set up; undefined when no policy says. */
  readonly policyTenantId?: TenantId;
  /** What the owner has to be allowed: the session ends when that is lost. */
  readonly access?: AccessDemand;
}

/** Counts sessions against their limits. */
export class SessionBudget {
  #sessions = 0;
  readonly #byNamespace = new Map<string, number>();
  readonly #byClient = new Map<string, number>();

  get sessions(): number {
    return this.#sessions;
  }

  /**
   * Takes a session out of the budget.
   *
   * @throws {SessionLimitError}
   */
  reserve({ namespace, clientId }: SessionOwner, settings: SessionSettings): void {
    const { maxSessions, maxSessionsPerNamespace, maxSessionsPerClient } = settings;
    expectRoom('max_sessions', this.#sessions, 1, maxSessions);
    expectRoom('max_sessions_per_namespace', this.#byNamespace.get(namespace) ?? 0, 1, maxSessionsPerNamespace);
    expectRoom('max_sessions_per_client', this.#byClient.get(clientId) ?? 0, 1, maxSessionsPerClient);
    this.#sessions++;
    add(this.#byNamespace, namespace, 1);
    add(this.#byClient, clientId, 1);
  }

  releaseSession({ namespace, clientId }: SessionOwner): void {
    this.#sessions--;
    add(this.#byNamespace, namespace, -1);
    add(this.#byClient, clientId, -1);
  }
}

function expectRoom(limit: string, used: number, wanted: number, max: number): void {
  if (used + wanted > max) {
    throw new SessionLimitError(limit, used, wanted, max);
  }
}

/** Entries that are zero are not kept. */
function add(counts: Map<string, number>, key: string, difference: number): void {
  const count = (counts.get(key) ?? 0) + difference;
  if (count === 0) {
    counts.delete(key);
  } else {
    counts.set(key, count);
  }
}

export type WantedConnections = ReadonlyMap<SessionBackend, number>;

/**
 * How many connections a session is to have, by backend; one to each unless it says otherwise.
 *
 * @throws {UnknownBackendError} when it names a backend that is not configured, or no number of connections
 * @throws {SessionLimitError} when one session may not have as many
 */
export function readWanted(
  { namespace }: SessionOwner,
  connections: Readonly<Record<string, number>> | undefined,
  backends: ReadonlyMap<string, SessionBackend>,
): WantedConnections {
  if (connections === undefined) {
    return new Map([...backends.values()].map((backend) => [backend, 1]));
  }
  return new Map(
    Object.entries(connections).map(([name, count]) => {
      const backend = backends.get(name);
      if (backend === undefined || !Number.isSafeInteger(count) || count < 1) {
        throw new UnknownBackendError(name, 'a configured backend, and at least one connection to it');
      }
      expectRoom(`${name}.per_session_limit`, 0, count, backend.perSessionLimit(namespace));
      return [backend, count];
    }),
  );
}
