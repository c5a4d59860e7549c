import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import type { CpuReport } from '../limits/cpu-meter.js';
import { SampledCpuMeter, type Profiler } from './sampled-cpu-meter.js';
import type { SampleContext, SamplesListener } from './thread-profiler.js';

const ACME = parseNamespaceId('acme');
const BOLT = parseNamespaceId('bolt');

/** A profiler that takes a sample of each work that it runs. */
class CountingProfiler implements Profiler {
  readonly listeners = new Set<SamplesListener>();
  #hits = new Map<SampleContext, number>();

  listen(listener: SamplesListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  run<T>(context: SampleContext, work: () => T): T {
    this.#hits.set(context, (this.#hits.get(context) ?? 0) + 1);
    return work();
  }

  /** Tells of the samples so far, and of others at no context. */
  report({ others, cpuMs }: { others: number; cpuMs: number }): void {
    const hits = this.#hits;
    this.#hits = new Map();
    const busy = [...hits.values()].reduce((sum, count) => sum + count, others);
    for (const listener of this.listeners) {
      listener({ hits, busy, cpuMs });
    }
  }
}

function createMeter(profiler = new CountingProfiler()) {
  const reports: CpuReport[] = [];
  return { profiler, reports, meter: new SampledCpuMeter(profiler, (report) => reports.push(report)) };
}

describe(SampledCpuMeter.name, () => {
  it('divides the CPU time of the thread by the samples of each namespace', () => {
    const { profiler, reports, meter } = createMeter();
    for (const namespace of [ACME, ACME, ACME, BOLT]) {
      meter.run(namespace, () => {});
    }
    profiler.report({ others: 4, cpuMs: 800 });
    expect(reports).toEqual([
      {
        namespaces: new Map([
          [ACME, 300],
          [BOLT, 100],
        ]),
        otherMs: 400,
      },
    ]);
  });

  it('charges work of no namespace, and of other meters, to nobody', () => {
    const { profiler, reports, meter } = createMeter();
    const other = createMeter(profiler);
    meter.run(undefined, () => {});
    other.meter.run(ACME, () => {});
    profiler.report({ others: 0, cpuMs: 100 });
    expect(reports).toEqual([{ namespaces: new Map(), otherMs: 100 }]);
    expect(other.reports).toEqual([{ namespaces: new Map([[ACME, 50]]), otherMs: 50 }]);
  });

  it('reports an idle thread', () => {
    const { profiler, reports } = createMeter();
    profiler.report({ others: 0, cpuMs: 1 });
    expect(reports).toEqual([{ namespaces: new Map(), otherMs: 1 }]);
  });

  it('gives what the work gives', () => {
    expect(createMeter().meter.run(ACME, () => 1)).toBe(1);
  });

  it('listens no more once it has stopped', () => {
    const { profiler, meter } = createMeter();
    meter.stop();
    expect(profiler.listeners.size).toBe(0);
  });
});
