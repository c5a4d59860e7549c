import type { IsolationLevel, NamespaceId } from '@palisade/domain';
import type { IsolationPools } from '../isolation-pools.js';
import { IsolationLevelError } from '../isolation.errors.js';
import type { BackendUsage, ConnectionsSnapshot, ConnectionsView } from '../usage/namespace-usage.js';
import type { UsageRegistry } from '../usage/usage-registry.js';
import type { ConnectionSource, IsolationCaller, LeasedConnection, Wanted } from './connection-source.js';

/** The connections of pools: of the caller's namespace, or of everybody. */
export class PooledConnections implements ConnectionSource {
  constructor(
    private readonly level: Exclude<IsolationLevel, 'session'>,
    private readonly pools: IsolationPools,
    private readonly registry: UsageRegistry,
  ) {}

  /** @throws {IsolationLevelError} when the caller names a session */
  check({ session }: IsolationCaller): void {
    if (session !== undefined) {
      throw new IsolationLevelError(this.level, 'sessions');
    }
  }

  async lease<C, T>(
    { caller, backend, driverClass, abort }: Wanted<C>,
    work: (lease: LeasedConnection<C>) => Promise<T>,
  ): Promise<T> {
    using lease = await this.pools.get(backend, driverClass).acquire(caller.namespace, abort.signal);
    return await work(lease);
  }

  divideCaps(replicas: number): void {
    this.pools.divideCaps(replicas);
  }

  view(): ConnectionsView {
    const all = this.pools
      .snapshots()
      .map(({ name, active, idle, maxTotal, queued }) => ({ backend: name, active, idle, max: maxTotal, queued }));
    return { all, of: (namespace) => (this.level === 'none' ? this.#shareOf(namespace, all) : this.#ownOf(namespace)) };
  }

  snapshot(): ConnectionsSnapshot {
    return { pools: this.pools.snapshots() };
  }

  #ownOf(namespace: NamespaceId): BackendUsage[] {
    return this.pools
      .find(namespace)
      .map(({ backend, active, idle, max, queued }) => ({ backend, active, idle, max, queued }));
  }

  /** Idle connections are everybody's. */
  #shareOf(namespace: NamespaceId, all: readonly BackendUsage[]): BackendUsage[] {
    const loads = this.registry.find(namespace)?.loads;
    return all.flatMap(({ backend, max }) => {
      const { active, waiting } = loads?.get(backend) ?? { active: 0, waiting: 0 };
      return active + waiting === 0 ? [] : [{ backend, active, idle: 0, max, queued: waiting }];
    });
  }
}
