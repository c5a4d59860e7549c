import type { NamespaceId } from '@palisade/domain';
import { IsolationLevelError, SessionRequiredError } from '../isolation.errors.js';
import type { IsolationPools } from '../isolation-pools.js';
import type { Lease } from '../pools/lease.js';
import type { IsolationPolicy } from '../policy/isolation-policy.js';
import type { NamespaceTerms } from '../policy/terms.js';
import type { SessionId } from '../sessions/session-id.js';
import type { SessionManager } from '../sessions/session-manager.js';
import { SessionNotFoundError } from '../sessions/session.errors.js';
import type { Session } from '../sessions/session.js';
import type { BackendUsage, ConnectionsSnapshot, ConnectionsView, ConnectionUsage } from '../usage/namespace-usage.js';
import type { UsageRegistry } from '../usage/usage-registry.js';
import type { IsolationCaller, LeasedConnection, Wanted } from './connection-source.js';

export interface ConnectionsOptions {
  readonly policy: IsolationPolicy;
  readonly pools: IsolationPools;
  readonly sessions: SessionManager;
  readonly registry: UsageRegistry;
}

/**
 * Where work gets connections from: everybody's, those of the caller's namespace, or those of the caller's session, as the
 * level of the namespace says at the moment when the work gets one.
 *
 * Work without a session that waits when its namespace gets the level `session`, or is served no longer, is rejected then.
 * A session that exists when its namespace gets another level goes on until it ends.
 */
export class Connections implements ConnectionUsage {
  readonly #options: ConnectionsOptions;
  readonly #waiting = new Set<Wanted<unknown>>();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    options.policy.onChange(() => this.#rejectOutdated());
  }

  /**
   * What applies to a caller.
   *
   * @throws {NoPolicyError} {@link NamespaceNotServedError} when the namespace is not served here
   * @throws {SessionRequiredError} when the level is `session`, and the caller names none
   * @throws {IsolationLevelError} when the caller names a session at another level
   */
  check({ namespace, session }: IsolationCaller): NamespaceTerms {
    const { policy, sessions } = this.#options;
    const terms = policy.termsOf(namespace);
    if (terms.level === 'session' && session === undefined) {
      throw new SessionRequiredError(namespace);
    }
    if (terms.level !== 'session' && session !== undefined && !sessions.has(session)) {
      throw new IsolationLevelError(terms.level, 'sessions');
    }
    return terms;
  }

  /** Leases a connection for the time of the work. */
  async lease<C, T>(wanted: Wanted<C>, work: (lease: LeasedConnection<C>) => Promise<T>): Promise<T> {
    const { session } = wanted.caller;
    if (session !== undefined) {
      return this.#leaseOfSession(session, wanted, work);
    }
    using lease = await this.#acquire(wanted);
    return await work(lease);
  }

  view(): ConnectionsView {
    const { policy, pools } = this.#options;
    const all = pools
      .snapshots()
      .map(({ name, active, idle, maxTotal, queued }) => ({ backend: name, active, idle, max: maxTotal, queued }));
    const ownOf = (namespace: NamespaceId) =>
      pools.find(namespace).map(({ backend, active, idle, max, queued }) => ({ backend, active, idle, max, queued }));
    return {
      all,
      of: (namespace) =>
        policy.findTerms(namespace)?.level === 'none' ? this.#shareOf(namespace, all) : ownOf(namespace),
    };
  }

  snapshot(): ConnectionsSnapshot {
    return { pools: this.#options.pools.snapshots(), sessions: this.#options.sessions.snapshot() };
  }

  /** A connection of the level and the tenant that hold when it is given; while the work waited, they may have changed. */
  async #acquire<C>(wanted: Wanted<C>): Promise<Lease<C>> {
    const { caller, backend, driverClass, abort } = wanted;
    this.#waiting.add(wanted);
    try {
      for (;;) {
        const { level, tenantId } = this.check(caller);
        const lease = await this.#options.pools.acquire(backend, driverClass, caller.namespace, abort.signal);
        const terms = this.#options.policy.findTerms(caller.namespace);
        if (terms?.level === level && terms.tenantId === tenantId) {
          return lease;
        }
        lease.release();
      }
    } finally {
      this.#waiting.delete(wanted);
    }
  }

  #rejectOutdated(): void {
    for (const { caller, abort } of this.#waiting) {
      try {
        this.check(caller);
      } catch (error) {
        abort.abort(error);
      }
    }
  }

  /** A connection whose state is unknown ends its session. */
  #leaseOfSession<C, T>(
    id: SessionId,
    { caller, backend, driverClass, abort }: Wanted<C>,
    work: (lease: LeasedConnection<C>) => Promise<T>,
  ): Promise<T> {
    return this.#options.sessions.run(id, caller, async (session) => {
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

  #discard(id: SessionId, caller: IsolationCaller): void {
    try {
      this.#options.sessions.discard(id, caller);
    } catch (error) {
      if (!(error instanceof SessionNotFoundError)) {
        throw error;
      }
      // It is ending already.
    }
  }

  /** What a namespace uses of the connections that all share; idle ones are everybody's. */
  #shareOf(namespace: NamespaceId, all: readonly BackendUsage[]): BackendUsage[] {
    const loads = this.#options.registry.find(namespace)?.loads;
    return all.flatMap(({ backend, max }) => {
      const { active, waiting } = loads?.get(backend) ?? { active: 0, waiting: 0 };
      return active + waiting === 0 ? [] : [{ backend, active, idle: 0, max, queued: waiting }];
    });
  }
}

/** Which of the session's connections to a backend has fewest requests; of those alike the first. */
function leastBusy({ connections }: Session, backend: string): number {
  const loads = connections
    .filter((own) => own.backend === backend)
    .map(({ isBusy, queued }) => queued + Number(isBusy));
  return Math.max(0, loads.indexOf(Math.min(...loads)));
}
