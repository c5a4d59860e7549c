import type { time } from '@datadog/pprof';
import { CpuUsageUnavailableError } from './usage.errors.js';

/** What samples can be of. Each is one's own: it is told by its identity. */
export type SampleContext = object;

/** What a thread was doing in a while. */
export interface ThreadSamples {
  /** Samples that were taken at work of each context. */
  readonly hits: ReadonlyMap<SampleContext, number>;
  /** All samples at which the thread was not idle. */
  readonly busy: number;
  /** What the thread took of the CPU. */
  readonly cpuMs: number;
}

export type SamplesListener = (samples: ThreadSamples) => void;
type TimeProfiler = typeof time;

/** Not a divisor of the periods that timers usually have, so that work in step with a timer is neither always met nor never. */
const SAMPLE_INTERVAL_US = 19_000;
const REPORT_INTERVAL_MS = 1000;
/** Samples are kept for twice this while a busy event loop lets nobody read them. */
const MAX_UNREAD_MS = 60_000;

/**
 * The sampling profiler of this thread: V8 has one, so all who want it share it. It runs while somebody listens. Samples
 * are of wall time; what they say is how the thread's own CPU time is divided.
 */
export class ThreadProfiler {
  static #shared: Promise<ThreadProfiler> | undefined = undefined;

  readonly #time: TimeProfiler;
  readonly #listeners = new Set<SamplesListener>();
  #timer: NodeJS.Timeout | undefined = undefined;
  #cpuSince = process.threadCpuUsage();

  private constructor(timeProfiler: TimeProfiler) {
    this.#time = timeProfiler;
  }

  /** @throws {CpuUsageUnavailableError} where there is none, as on Windows, or where somebody else has it */
  static load(): Promise<ThreadProfiler> {
    ThreadProfiler.#shared ??= loadTimeProfiler().then((timeProfiler) => new ThreadProfiler(timeProfiler));
    return ThreadProfiler.#shared;
  }

  /**
   * Tells the listener of samples about once a second, until the function that is returned is called.
   *
   * @throws {CpuUsageUnavailableError}
   */
  listen(listener: SamplesListener): () => void {
    if (this.#listeners.size === 0) {
      this.#start();
    }
    this.#listeners.add(listener);
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) {
        this.#stop();
      }
    };
  }

  /** Has samples of the work, and of all that it starts, be of the context. */
  run<T>(context: SampleContext, work: () => T): T {
    return this.#timer === undefined ? work() : this.#time.runWithContext(context, work);
  }

  #start(): void {
    try {
      this.#time.start({
        intervalMicros: SAMPLE_INTERVAL_US,
        durationMillis: MAX_UNREAD_MS,
        withContexts: true,
        useCPED: true,
        // It waits for the next sample at each report. What it makes rare is noticed and put right at the next one.
        workaroundV8Bug: false,
      });
    } catch (cause) {
      throw new CpuUsageUnavailableError({ cause });
    }
    this.#cpuSince = process.threadCpuUsage();
    this.#timer = setInterval(() => this.#report(), REPORT_INTERVAL_MS).unref();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#time.stop();
  }

  #report(): void {
    const { user, system } = process.threadCpuUsage(this.#cpuSince);
    this.#cpuSince = process.threadCpuUsage();
    const samples = { ...this.#collect(), cpuMs: (user + system) / 1000 };
    for (const listener of this.#listeners) {
      listener(samples);
    }
  }

  #collect(): Omit<ThreadSamples, 'cpuMs'> {
    const taken: number = this.#time.getState()[this.#time.constants.kSampleCount];
    const hits = new Map<SampleContext, number>();
    const seen = new Set<object>();
    let [idle, attributed] = [0, 0];
    this.#time.stop(true, ({ node }) => {
      if (!seen.has(node)) {
        seen.add(node);
        idle += node.name === '(idle)' ? node.hitCount : 0;
        for (const { context } of node.contexts ?? []) {
          if (context !== undefined) {
            hits.set(context, (hits.get(context) ?? 0) + 1);
            attributed++;
          }
        }
      }
      return {};
    });
    return { hits, busy: Math.max(taken - idle, attributed) };
  }
}

/** It is loaded when it is wanted, so that nobody else depends on there being one. */
async function loadTimeProfiler(): Promise<TimeProfiler> {
  try {
    const pprof = await import('@datadog/pprof');
    return pprof.time;
  } catch (cause) {
    throw new CpuUsageUnavailableError({ cause });
  }
}
