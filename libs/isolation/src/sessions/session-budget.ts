import type { NamespaceId } from '@palisade/domain';
import type { AccessDemand } from '../control-plane/access-decisions.js';
import { UnknownBackendError } from '../backends/backend.errors.js';
import type { DedicatedBackend } from './dedicated-backend.js';
import type { DedicatedSettings } from './session-settings.js';
import { SessionLimitError } from './session.errors.js';

/** The owner of a session, as it was authenticated. */
export interface SessionOwner {
  readonly namespace: NamespaceId;
  readonly clientId: string;
  /** What the owner has to be allowed: the session ends when that is lost. */
  readonly access?: AccessDemand;
}

/** Counts sessions and their connections against their limits. */
export class SessionBudget {
  #sessions = 0;
  readonly #byNamespace = new Map<string, number>();
  readonly #byClient = new Map<string, number>();
  readonly #connections = new Map<string, number>();
  readonly #maxConnections: Map<string, number>;

  constructor(private readonly settings: DedicatedSettings) {
    this.#maxConnections = new Map(settings.backends.entries().map(([name, limits]) => [name, limits.maxConnections]));
  }

  get sessions(): number {
    return this.#sessions;
  }

  connectionsTo(backend: string): number {
    return this.#connections.get(backend) ?? 0;
  }

  maxConnectionsTo(backend: string): number {
    return this.#maxConnections.get(backend) ?? 0;
  }

  /** Changes how many connections to a backend there may be; what is taken stays. */
  resize(backend: string, maxConnections: number): void {
    this.#maxConnections.set(backend, maxConnections);
  }

  /**
   * Takes a session and its connections out of the budget, or nothing.
   *
   * @throws {SessionLimitError}
   */
  reserve({ namespace, clientId }: SessionOwner, connections: ReadonlyMap<string, number>): void {
    const { maxSessions, maxSessionsPerNamespace, maxSessionsPerClient, backends } = this.settings;
    expectRoom('max_sessions', this.#sessions, 1, maxSessions);
    expectRoom('max_sessions_per_namespace', this.#byNamespace.get(namespace) ?? 0, 1, maxSessionsPerNamespace);
    expectRoom('max_sessions_per_client', this.#byClient.get(clientId) ?? 0, 1, maxSessionsPerClient);
    for (const [backend, count] of connections) {
      expectRoom(`${backend}.per_session_limit`, 0, count, backends.get(backend)?.perSessionLimit ?? 0);
      expectRoom(`${backend}.max_connections`, this.connectionsTo(backend), count, this.maxConnectionsTo(backend));
    }
    this.#sessions++;
    add(this.#byNamespace, namespace, 1);
    add(this.#byClient, clientId, 1);
    for (const [backend, count] of connections) {
      add(this.#connections, backend, count);
    }
  }

  releaseSession({ namespace, clientId }: SessionOwner): void {
    this.#sessions--;
    add(this.#byNamespace, namespace, -1);
    add(this.#byClient, clientId, -1);
  }

  releaseConnection(backend: string): void {
    add(this.#connections, backend, -1);
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

export type WantedConnections = ReadonlyMap<DedicatedBackend, number>;

/**
 * How many connections a session is to have, by backend; one to each unless it says otherwise.
 *
 * @throws {UnknownBackendError} when it names a backend that is not configured, or no number of connections
 */
export function readWanted(
  connections: Readonly<Record<string, number>> | undefined,
  backends: ReadonlyMap<string, DedicatedBackend>,
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
      return [backend, count];
    }),
  );
}

export function countsByName(wanted: WantedConnections): ReadonlyMap<string, number> {
  return new Map([...wanted].map(([{ name }, count]) => [name, count]));
}
