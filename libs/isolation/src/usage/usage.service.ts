import { Inject, Injectable } from '@nestjs/common';
import type { NamespaceId, NamespaceResources } from '@palisade/domain';
import { CONNECTION_SOURCE, ISOLATION_OPTIONS, type IsolationOptions } from '../isolation-options.js';
import { Admission } from '../limits/admission.js';
import { SYSTEM_CLOCK, type Clock } from '@palisade/async';
import { findConnectionAlerts, findRequestAlerts } from './find-alerts.js';
import type { NamespaceTally } from './namespace-tally.js';
import type {
  ConnectionsSnapshot,
  ConnectionsView,
  ConnectionUsage,
  NamespaceUsage,
  UsageSnapshot,
} from './namespace-usage.js';
import { UsageRegistry, type RunListener } from './usage-registry.js';

export interface UsageSnapshotOptions {
  /** Namespaces to tell of one by one. Default 100. */
  readonly maxNamespaces?: number;
}

const DEFAULT_NAMESPACES = 100;

/** What each namespace takes of the process, in plain numbers. */
@Injectable()
export class UsageService {
  readonly #clock: Clock;

  constructor(
    @Inject(ISOLATION_OPTIONS) { clock = SYSTEM_CLOCK }: IsolationOptions,
    @Inject(CONNECTION_SOURCE) private readonly source: ConnectionUsage,
    private readonly registry: UsageRegistry,
    private readonly admission: Admission,
  ) {
    this.#clock = clock;
  }

  /** What a namespace may take, unless it has limits of its own. */
  get limits(): NamespaceResources {
    return this.admission.limits.perNamespace;
  }

  /** What all namespaces have together, at this moment and in total. */
  connections(): ConnectionsSnapshot {
    return this.source.snapshot();
  }

  /** Undefined when nothing is known of the namespace: it did nothing, or has been quiet for long. */
  find(namespace: NamespaceId): NamespaceUsage | undefined {
    const tally = this.registry.find(namespace);
    return tally && this.#describe(namespace, tally, this.source.view());
  }

  /** The usage of every namespace that is known. */
  *namespaces(): Generator<NamespaceUsage, void> {
    const view = this.source.view();
    for (const [namespace, tally] of this.registry.entries()) {
      yield this.#describe(namespace, tally, view);
    }
  }

  snapshot({ maxNamespaces = DEFAULT_NAMESPACES }: UsageSnapshotOptions = {}): UsageSnapshot {
    const usages = [...this.namespaces()].toSorted(
      (a, b) => b.requestsPerSecond - a.requestsPerSecond || b.requests - a.requests,
    );
    const backends = this.source.view().all;
    return {
      at: this.#clock.date(),
      totals: this.registry.totals.snapshot(),
      otherCpuSeconds: this.registry.otherCpuSeconds,
      namespaces: usages.slice(0, maxNamespaces),
      knownNamespaces: usages.length,
      backends,
      alerts: [...findConnectionAlerts(backends), ...usages.flatMap(({ alerts }) => alerts)],
    };
  }

  /** Has the listener told of each piece of work that ends. It must neither throw nor take time. */
  onRunEnded(listener: RunListener): void {
    this.registry.listen(listener);
  }

  #describe(namespace: NamespaceId, tally: NamespaceTally, view: ConnectionsView): NamespaceUsage {
    const nowMs = this.#clock.now();
    const connections = view.of(namespace);
    return {
      namespace,
      ...tally.counters.snapshot(),
      connections,
      requestsPerSecond: tally.window.rate(nowMs),
      queued: connections.reduce((sum, { queued }) => sum + queued, 0),
      p50Ms: tally.latencies.percentile(nowMs, 0.5),
      p99Ms: tally.latencies.percentile(nowMs, 0.99),
      bytesHeld: this.admission.memory.heldBy(namespace),
      alerts: [
        ...findConnectionAlerts(connections, namespace),
        ...findRequestAlerts(tally.window.sums(nowMs), namespace),
      ],
    };
  }
}
