import process from 'node:process';
import { compareTimes } from '../../lib/finding.mjs';
import { progress } from '../../lib/progress.mjs';
import { median } from '../../lib/statistics.mjs';
import { NULL_DRIVER } from '../competitors.mjs';

const MANY = 10_000;
const FEW = 10;
const NANOSECONDS_PER_MS = 1e6;

/**
 * What 10,000 namespaces with an idle connection each cost: memory, and time of acquiring and releasing.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureManyNamespaces({ plan, NamespacePools }) {
  progress(`measuring ${MANY} namespaces`);
  const few = await openIdle(NamespacePools, FEW);
  const before = heapUsed();
  const many = await openIdle(NamespacePools, MANY);
  const bytes = (heapUsed() - before) / MANY;
  /** @type {Record<'few' | 'many' | 'all', number[]>} */
  const times = { few: [], many: [], all: [] };
  const inUse = namesOf(FEW);
  const all = namesOf(MANY);
  for (let round = -1; round < plan.rounds; round++) {
    const measured = {
      few: await timeOfCycle(few, inUse, plan.cycles),
      many: await timeOfCycle(many, inUse, plan.cycles),
      all: await timeOfCycle(many, all, plan.cycles),
    };
    // The first round warms up.
    for (const [key, time] of round < 0 ? [] : Object.entries(measured)) {
      times[key].push(time);
    }
  }
  await Promise.all([few.destroy(), many.destroy()]);
  return [
    {
      key: 'bytes_per_idle_namespace',
      name: `memory of one of ${MANY} idle namespaces`,
      ours: `${Math.round(bytes)} B`,
      beside: '',
      value: bytes,
      unit: 'B',
    },
    {
      ...compareTimes({
        key: 'acquire_10k_vs_10',
        name: `acquire and release in ${FEW} namespaces, ${MANY} idle`,
        large: times.many,
        small: times.few,
        smallName: `${FEW} idle`,
        target: { atMost: 1.25 },
      }),
      ...inNanoseconds(times.many, times.few, `${FEW} idle`),
    },
    {
      ...compareTimes({
        key: 'acquire_in_each_of_10k_vs_10',
        name: `- in each of the ${MANY} in turn (nothing in the CPU's caches)`,
        large: times.all,
        small: times.few,
        smallName: `${FEW}`,
      }),
      ...inNanoseconds(times.all, times.few, `${FEW} in turn`),
    },
  ];
}

/** @param {number[]} large @param {number[]} small @param {string} smallName times in ms */
function inNanoseconds(large, small, smallName) {
  return { ours: formatNs(median(large)), beside: `${smallName} ${formatNs(median(small))}` };
}

/** @param {number} ms */
function formatNs(ms) {
  return `${Math.round(ms * NANOSECONDS_PER_MS)} ns`;
}

/** @param {any} NamespacePools @param {number} count */
async function openIdle(NamespacePools, count) {
  const pools = new NamespacePools({ name: 'bench', driver: NULL_DRIVER, maxTotal: 2 * MANY });
  for (const name of namesOf(count)) {
    (await pools.acquire(name)).release();
  }
  return pools;
}

/** @param {any} pools @param {readonly string[]} names @param {number} cycles @returns {Promise<number>} ms */
async function timeOfCycle(pools, names, cycles) {
  const startedAt = performance.now();
  for (let count = 0; count < cycles; count++) {
    const lease = await pools.acquire(names[count % names.length]);
    lease.release();
  }
  return (performance.now() - startedAt) / cycles;
}

/** @param {number} count */
function namesOf(count) {
  return Array.from({ length: count }, (_, index) => `namespace-${index}`);
}

function heapUsed() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
