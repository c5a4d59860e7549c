import type { NamespaceId } from '@palisade/domain';
import type { OpeningGate } from './opening-gate.js';
import { CounterSet } from './pool-counters.js';
import type { LiveSettings } from './pool-settings.js';

/** What must outlive a namespace's pool. */
export interface NamespaceRecord {
  readonly counters: CounterSet;
  /** Failures to connect that are the namespace's own; absent while there were none. */
  gate?: OpeningGate;
}

/**
 * Records of namespaces whose pool has disappeared. The one that disappeared first is forgotten when there are too
 * many; what it counted stays in the totals.
 */
export class NamespaceRecords {
  readonly #retired = new Map<NamespaceId, NamespaceRecord>();

  constructor(
    private readonly total: CounterSet,
    private readonly settings: LiveSettings,
  ) {}

  /** The record for a pool that comes into being. */
  take(namespace: NamespaceId): NamespaceRecord {
    const record = this.#retired.get(namespace);
    this.#retired.delete(namespace);
    return record ?? { counters: new CounterSet(this.total) };
  }

  /** Keeps the record of a pool that has disappeared. */
  retire(namespace: NamespaceId, record: NamespaceRecord): void {
    this.#retired.set(namespace, record);
    if (this.#retired.size > this.settings.current.maxNamespaces) {
      const [oldest] = this.#retired.keys();
      if (oldest !== undefined) {
        this.#retired.delete(oldest);
      }
    }
  }
}
