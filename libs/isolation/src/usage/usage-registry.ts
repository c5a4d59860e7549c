import type { NamespaceId } from '@palisade/domain';
import type { CpuReport } from '../limits/cpu-meter.js';
import { NamespaceTally, type Outcome } from './namespace-tally.js';
import { UsageCounters } from './usage-counters.js';

export interface UsageSettings {
  /** Whether CPU time is told by namespace, which costs about 1 % of it. */
  readonly measuresCpu: boolean;
  /** Namespaces whose usage is kept; beyond that the one that has been quiet for longest is forgotten. */
  readonly maxNamespaces: number;
}

/** A piece of work that is over. */
export interface EndedRun {
  readonly backend: string;
  readonly outcome: Outcome;
  /** Undefined for work that lasts as long as its caller wants. */
  readonly durationMs: number | undefined;
}

export type RunListener = (run: EndedRun) => void;

/** So many are passed over at once in search of a quiet namespace. */
const MAX_PASSED_OVER = 16;

/**
 * What each namespace does, for `maxNamespaces` of them. Beyond that the one that has been quiet for longest is
 * forgotten, and starts from zero when it comes back; what it counted stays in the totals. None with work under way is
 * forgotten, so there may be as many more as have that.
 */
export class UsageRegistry {
  readonly totals = new UsageCounters();
  /** In the order in which they last had work let in. */
  readonly #tallies = new Map<NamespaceId, NamespaceTally>();
  readonly #listeners = new Set<RunListener>();
  #otherCpuMs = 0;

  constructor(private readonly maxNamespaces: number) {}

  get size(): number {
    return this.#tallies.size;
  }

  /** CPU time that is no namespace's. */
  get otherCpuSeconds(): number {
    return this.#otherCpuMs / 1000;
  }

  find(namespace: NamespaceId): NamespaceTally | undefined {
    return this.#tallies.get(namespace);
  }

  entries(): Iterable<[NamespaceId, NamespaceTally]> {
    return this.#tallies.entries();
  }

  /** The tally of a namespace that something has just happened to. */
  of(namespace: NamespaceId): NamespaceTally {
    const tally = this.#tallies.get(namespace) ?? new NamespaceTally(this.totals);
    this.#tallies.delete(namespace);
    this.#tallies.set(namespace, tally);
    this.#forgetQuiet(tally);
    return tally;
  }

  charge({ namespaces, otherMs }: CpuReport): void {
    for (const [namespace, cpuMs] of namespaces) {
      const tally = this.#tallies.get(namespace) ?? this.of(namespace);
      tally.counters.add('cpuMicros', Math.round(cpuMs * 1000));
    }
    this.#otherCpuMs += otherMs;
  }

  /** Has the listener told of each piece of work that ends. */
  listen(listener: RunListener): void {
    this.#listeners.add(listener);
  }

  tell(run: EndedRun): void {
    for (const listener of this.#listeners) {
      listener(run);
    }
  }

  #forgetQuiet(current: NamespaceTally): void {
    for (let passedOver = 0; this.#tallies.size > this.maxNamespaces && passedOver < MAX_PASSED_OVER; passedOver++) {
      const [oldest] = this.#tallies;
      if (oldest === undefined) {
        return;
      }
      const [namespace, tally] = oldest;
      this.#tallies.delete(namespace);
      if (tally === current || !tally.isQuiet) {
        this.#tallies.set(namespace, tally);
      }
    }
  }
}
