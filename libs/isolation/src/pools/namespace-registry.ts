import type { NamespaceId } from '@palisade/domain';
import { NamespacePool } from './namespace-pool.js';
import { NamespaceRecords } from './namespace-records.js';
import type { CounterSet } from './pool-counters.js';
import type { LiveSettings, PoolTerms } from './pool-settings.js';

/** The pools that exist, and the records of those that no longer do. */
export class NamespaceRegistry<C> {
  readonly #pools = new Map<NamespaceId, NamespacePool<C>>();
  readonly #records: NamespaceRecords;

  constructor(
    private readonly name: string,
    private readonly settings: LiveSettings,
    readonly termsOf: (namespace: NamespaceId) => PoolTerms,
    counters: CounterSet,
  ) {
    this.#records = new NamespaceRecords(counters, settings);
  }

  get size(): number {
    return this.#pools.size;
  }

  find(namespace: NamespaceId): NamespacePool<C> | undefined {
    return this.#pools.get(namespace);
  }

  values(): Iterable<NamespacePool<C>> {
    return this.#pools.values();
  }

  /** Undefined when there are as many as there may be. */
  create(namespace: NamespaceId): NamespacePool<C> | undefined {
    if (this.#pools.size >= this.settings.current.maxNamespaces) {
      return undefined;
    }
    const terms = this.termsOf(namespace);
    const pool = new NamespacePool<C>(`${this.name}/${namespace}`, namespace, terms, this.#records.take(namespace));
    this.#pools.set(namespace, pool);
    return pool;
  }

  retire(pool: NamespacePool<C>): void {
    this.#pools.delete(pool.namespace);
    this.#records.retire(pool.namespace, pool.record);
  }
}
