import { LatencyHistogram } from './latency-histogram.js';
import { SlidingWindow } from './sliding-window.js';
import { UsageCounters } from './usage-counters.js';

/** How a piece of work that was let in ended. */
export type Outcome = 'succeeded' | 'failed' | 'denied' | 'aborted';

export interface Ending {
  /** Whether it had a connection. */
  readonly hasStarted: boolean;
  readonly outcome: Outcome;
  readonly nowMs: number;
  /** Since it was asked for; undefined for work that lasts as long as its caller wants. */
  readonly durationMs: number | undefined;
}

/** Pieces of work of one namespace at one backend. */
export interface BackendLoad {
  /** That have a connection. */
  active: number;
  /** That wait for one. */
  waiting: number;
}

/** What one namespace does, and has done. */
export class NamespaceTally {
  readonly counters: UsageCounters;
  readonly window = new SlidingWindow();
  readonly latencies = new LatencyHistogram();
  readonly #loads = new Map<string, BackendLoad>();
  #underWay = 0;

  constructor(total: UsageCounters) {
    this.counters = new UsageCounters(total);
  }

  get isQuiet(): boolean {
    return this.#underWay === 0;
  }

  get loads(): ReadonlyMap<string, Readonly<BackendLoad>> {
    return this.#loads;
  }

  /** A piece of work was let in, and waits for a connection. */
  admit(backend: string): void {
    this.#underWay++;
    this.counters.add('requests');
    this.#loadOf(backend).waiting++;
  }

  /** It has one. */
  start(backend: string): void {
    const load = this.#loadOf(backend);
    load.waiting--;
    load.active++;
  }

  /** It is over. */
  end(backend: string, { hasStarted, outcome, nowMs, durationMs }: Ending): void {
    this.#underWay--;
    const load = this.#loadOf(backend);
    load[hasStarted ? 'active' : 'waiting']--;
    if (outcome === 'failed') {
      this.counters.add('errors');
    } else if (outcome === 'aborted') {
      this.counters.add('aborted');
    }
    this.window.add(nowMs, durationMs, outcome === 'failed');
    if (durationMs !== undefined) {
      this.latencies.add(nowMs, durationMs);
    }
  }

  #loadOf(backend: string): BackendLoad {
    let load = this.#loads.get(backend);
    if (load === undefined) {
      load = { active: 0, waiting: 0 };
      this.#loads.set(backend, load);
    }
    return load;
  }
}
