/**
 * A program of its own for tests of CPU time: does work for a noisy and a quiet namespace until the noisy one has had its
 * share, and prints what each was charged. With an argument it does so in worker threads, one after another, of which all
 * but the last are ended from outside.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { parseNamespaceId } from '@palisade/domain';
import { SampledCpuMeter } from '../../src/usage/sampled-cpu-meter.js';
import { ThreadProfiler } from '../../src/usage/thread-profiler.js';

const NOISY = parseNamespaceId('noisy');
const QUIET = parseNamespaceId('quiet');

function compute(rounds: number): number {
  let sum = 0;
  for (let round = 0; round < rounds; round++) {
    sum += Math.sqrt(sum + round);
  }
  return sum;
}

/** CPU milliseconds by namespace, once the noisy one has had so many. */
async function measure(untilMs: number): Promise<Record<string, number>> {
  const charged: Record<string, number> = { noisy: 0, quiet: 0 };
  const isWarm = Promise.withResolvers<void>();
  const meter = new SampledCpuMeter(await ThreadProfiler.load(), ({ namespaces }) => {
    for (const [namespace, cpuMs] of namespaces) {
      charged[namespace] = (charged[namespace] ?? 0) + cpuMs;
    }
    isWarm.resolve();
  });
  const isOver = () => (charged['noisy'] ?? 0) >= untilMs;
  const work = async (rounds: number) => {
    while (!isOver()) {
      compute(rounds);
      await sleep(1);
    }
  };
  await Promise.all([meter.run(NOISY, () => work(800_000)), meter.run(QUIET, () => work(80_000))]);
  meter.stop();
  return charged;
}

/** Has a worker thread measure, and print what it finds; or measure for ever, and ends it while it does. */
async function measureInWorker(isEndedFromOutside: boolean): Promise<void> {
  const untilMs = isEndedFromOutside ? Number.POSITIVE_INFINITY : 500;
  const worker = new Worker(new URL(import.meta.url), { workerData: { untilMs } });
  if (isEndedFromOutside) {
    await once(worker, 'online');
    await sleep(1500); // so that the profiler runs
    await worker.terminate();
  } else {
    await once(worker, 'exit');
  }
}

if (isMainThread && process.argv[2] === 'workers') {
  await measureInWorker(true);
  await measureInWorker(true);
  await measureInWorker(false);
} else {
  const { untilMs } = isMainThread ? { untilMs: 2000 } : (workerData as { readonly untilMs: number });
  console.log(JSON.stringify(await measure(untilMs)));
}
