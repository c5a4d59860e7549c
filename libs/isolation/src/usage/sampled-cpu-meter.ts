import type { NamespaceId } from '@palisade/domain';
import { type CpuMeter, type CpuReport, NO_CPU_METER } from '../limits/cpu-meter.js';
import { ThreadProfiler, type ThreadSamples } from './thread-profiler.js';
import type { UsageSettings } from './usage-registry.js';

/** Work of one namespace, as one meter sees it. */
class NamespaceWork {
  constructor(
    readonly meter: SampledCpuMeter,
    readonly namespace: NamespaceId | undefined,
  ) {}
}

export type CpuListener = (report: CpuReport) => void;
export type Profiler = Pick<ThreadProfiler, 'listen' | 'run'>;

/**
 * Divides the CPU time of the thread among namespaces, in the proportion in which samples were taken at their work.
 *
 * An estimate: after n samples of a namespace it is right to about one in √n. It takes in garbage collection during the
 * namespace's work, and leaves out what other threads do for it.
 */
export class SampledCpuMeter implements CpuMeter {
  readonly #profiler: Profiler;
  readonly #listener: CpuListener;
  readonly #stopListening: () => void;
  readonly #nobody = new NamespaceWork(this, undefined);

  /**
   * @param listener told about once a second
   * @throws {CpuUsageUnavailableError}
   */
  constructor(profiler: Profiler, listener: CpuListener) {
    this.#profiler = profiler;
    this.#listener = listener;
    this.#stopListening = profiler.listen((samples) => this.#report(samples));
  }

  run<T>(namespace: NamespaceId | undefined, work: () => T): T {
    const context = namespace === undefined ? this.#nobody : new NamespaceWork(this, namespace);
    return this.#profiler.run(context, work);
  }

  stop(): void {
    this.#stopListening();
  }

  #report({ hits, busy, cpuMs }: ThreadSamples): void {
    const namespaces = new Map<NamespaceId, number>();
    let otherMs = cpuMs;
    for (const [context, count] of hits) {
      if (context instanceof NamespaceWork && context.meter === this && context.namespace !== undefined) {
        const { namespace } = context;
        const shareMs = (cpuMs * count) / Math.max(busy, 1);
        namespaces.set(namespace, (namespaces.get(namespace) ?? 0) + shareMs);
        otherMs -= shareMs;
      }
    }
    this.#listener({ namespaces, otherMs: Math.max(0, otherMs) });
  }
}

/**
 * What measures CPU time, if it is to be measured. The profiler is neither loaded nor started otherwise.
 *
 * @throws {CpuUsageUnavailableError}
 */
export async function createCpuMeter({ measuresCpu }: UsageSettings, listener: CpuListener): Promise<CpuMeter> {
  return measuresCpu ? new SampledCpuMeter(await ThreadProfiler.load(), listener) : NO_CPU_METER;
}
