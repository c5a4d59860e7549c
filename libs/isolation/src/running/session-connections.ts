import { SessionRequiredError } from '../isolation.errors.js';
import type { SessionOwner } from '../sessions/session-budget.js';
import type { SessionId } from '../sessions/session-id.js';
import type { SessionManager } from '../sessions/session-manager.js';
import { SessionNotFoundError } from '../sessions/session.errors.js';
import type { Session } from '../sessions/session.js';
import type { BackendUsage, ConnectionsSnapshot, ConnectionsView } from '../usage/namespace-usage.js';
import type { ConnectionSource, IsolationCaller, LeasedConnection, Wanted } from './connection-source.js';

/** The connections of the callers' sessions. */
export class SessionConnections implements ConnectionSource {
  constructor(private readonly manager: SessionManager) {}

  check(caller: IsolationCaller): void {
    sessionOf(caller);
  }

  /** A connection whose state is unknown ends its session. */
  lease<C, T>(
    { caller, backend, driverClass, abort }: Wanted<C>,
    work: (lease: LeasedConnection<C>) => Promise<T>,
  ): Promise<T> {
    const id = sessionOf(caller);
    return this.manager.run(id, caller, async (session) => {
      abort.follow(session.signal);
      const connection = session.connection(backend, driverClass, leastBusy(session, backend));
      let isUnusable = false;
      try {
        return await connection.run(
          (raw) => work({ connection: raw, isOwn: true, markUnusable: () => void (isUnusable = true) }),
          abort.signal,
        );
      } finally {
        if (isUnusable) {
          this.#discard(id, caller);
        }
      }
    });
  }

  divideCaps(replicas: number): void {
    this.manager.divideCaps(replicas);
  }

  view(): ConnectionsView {
    const { connections: totals } = this.manager.snapshot();
    const sessions = Map.groupBy(this.manager.sessions(), ({ namespace }) => namespace);
    const everybody = [...sessions.values()].flat();
    return {
      all: totals.map(({ backend, total, max }) => usageOf(everybody, backend, max, total)),
      of: (namespace) =>
        totals
          .map(({ backend, max }) => usageOf(sessions.get(namespace) ?? [], backend, max))
          .filter(({ active, idle }) => active + idle > 0),
    };
  }

  snapshot(): ConnectionsSnapshot {
    return { pools: [], sessions: this.manager.snapshot() };
  }

  #discard(id: SessionId, owner: SessionOwner): void {
    try {
      this.manager.discard(id, owner);
    } catch (error) {
      if (!(error instanceof SessionNotFoundError)) {
        throw error;
      }
      // It is ending already.
    }
  }
}

/** @param total connections, those that are opening or closing included; by default those that are open */
function usageOf(sessions: readonly Session[], backend: string, max: number, total?: number): BackendUsage {
  const own = sessions.flatMap(({ connections }) => connections.filter((connection) => connection.backend === backend));
  const active = own.filter(({ isBusy }) => isBusy).length;
  const queued = own.reduce((sum, connection) => sum + connection.queued, 0);
  return { backend, active, idle: (total ?? own.length) - active, max, queued };
}

/** Which of the session's connections to a backend has fewest requests; of those alike the first. */
function leastBusy({ connections }: Session, backend: string): number {
  const loads = connections
    .filter((own) => own.backend === backend)
    .map(({ isBusy, queued }) => queued + Number(isBusy));
  return Math.max(0, loads.indexOf(Math.min(...loads)));
}

function sessionOf({ session, namespace }: IsolationCaller): SessionId {
  if (session === undefined) {
    throw new SessionRequiredError(namespace);
  }
  return session;
}
