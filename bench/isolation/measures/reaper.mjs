import { setTimeout as sleep } from 'node:timers/promises';
import { median, percentile } from '../../lib/statistics.mjs';
import { progress } from '../../lib/progress.mjs';
import { NULL_DRIVER } from '../competitors.mjs';

const NAMESPACES = 10_000;
const IDLE_TIMEOUT_MS = 500;

/**
 * How long the event loop is blocked while 10,000 pools, all unused for too long at the same time, are reaped. The 99th
 * percentile counts: in the longest turn of all the machine was mostly doing something else.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureReaper({ plan, NamespacePools, SYSTEM_CLOCK }) {
  progress(`measuring the reaping of ${NAMESPACES} pools`);
  const rounds = [];
  for (let round = -1; round < plan.rounds; round++) {
    const turns = await reap(NamespacePools, SYSTEM_CLOCK);
    // The first round warms up.
    if (round >= 0) {
      rounds.push(turns);
    }
  }
  const nearlyAll = median(rounds.map((turns) => percentile(turns, 99)));
  const [typical, longest] = [median(rounds.flat()), Math.max(...rounds.flat())];
  return [
    {
      key: 'reaper_tick_ms',
      name: `one turn of reaping ${NAMESPACES} pools, p99`,
      ours: `${nearlyAll.toFixed(2)} ms`,
      beside: `median ${typical.toFixed(2)} ms, longest ${longest.toFixed(2)} ms`,
      value: nearlyAll,
      unit: 'ms',
      target: { atMost: 1 },
    },
  ];
}

/**
 * @param {any} NamespacePools @param {import('../../../libs/async/src/clock.js').Clock} clock
 * @returns {Promise<number[]>} for how many milliseconds each turn of reaping has blocked the event loop
 */
async function reap(NamespacePools, clock) {
  const turns = [];
  const watched = {
    ...clock,
    setBackgroundTimer: (/** @type {() => void} */ callback, /** @type {number} */ delayMs) =>
      clock.setBackgroundTimer(() => {
        const startedAt = performance.now();
        callback();
        // Runs when the turn, with all promises that it settles, is over.
        setImmediate(() => turns.push(performance.now() - startedAt));
      }, delayMs),
  };
  const options = { name: 'bench', driver: NULL_DRIVER, maxTotal: NAMESPACES, clock: watched };
  const pools = new NamespacePools({ ...options, idleTimeoutMs: IDLE_TIMEOUT_MS });
  const leases = [];
  for (let index = 0; index < NAMESPACES; index++) {
    leases.push(await pools.acquire(`namespace-${index}`));
  }
  for (const lease of leases) {
    lease.release();
  }
  while (pools.snapshot().namespaces > 0) {
    await sleep(50);
  }
  await pools.destroy();
  return turns;
}
