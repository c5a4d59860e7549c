import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentMib } from '../lib/memory.mjs';
import { progress } from '../lib/progress.mjs';
import { percentile } from '../lib/statistics.mjs';

export const HEAP_MIB = 256;
const PROBE_INTERVAL_MS = 20;
const ALONE_SECONDS = 5;
const WARM_UP_SECONDS = 2;
/** Clients run on other machines; here they get the processor that the program and PostgreSQL leave. */
const NICENESS_OF_CLIENTS = 10;

/**
 * Somebody who asks for everything, and somebody else.
 *
 * @typedef {object} Attack
 * @property {string} prefix of the keys
 * @property {string} neighbour what the other one is
 * @property {string} origin
 * @property {number} pid
 * @property {() => Promise<unknown>} probe a request of the other one; fails unless it is answered well
 * @property {Pick<import('./greedy-clients.mjs').Greed, 'base' | 'headers' | 'questions' | 'idlePath'>} greed
 */

/**
 * How long the requests of one caller take beside those of another, and alone before and after. Fails when one is not
 * answered, as when the process dies.
 *
 * @param {import('./plan.mjs').Plan} plan
 * @param {import('../lib/workspace.mjs').Workspace} workspace
 * @param {Attack} attack
 * @returns {Promise<import('../lib/finding.mjs').Finding[]>}
 */
export async function measureBeside({ clients, idleClients, seconds }, workspace, { greed, probe, ...attack }) {
  const alive = () => fetch(`${attack.origin}/health/live`).then((response) => response.text());
  await probeFor(WARM_UP_SECONDS, probe);
  const before = await probeFor(ALONE_SECONDS, probe);
  progress(`${clients} clients ask for everything for ${seconds} s`);
  const child = fork(join(import.meta.dirname, 'greedy-clients.mjs'), [
    JSON.stringify({ ...greed, clients, idleClients, seconds }),
  ]);
  workspace.defer(() => child.kill());
  setPriority(/** @type {number} */ (child.pid), NICENESS_OF_CLIENTS);
  const [beside, live, peakMib, [outcome]] = await Promise.all([
    probeFor(seconds, probe),
    probeFor(seconds, alive),
    peakMemory(attack.pid, seconds),
    once(child, 'message'),
  ]);
  progress(JSON.stringify(outcome));
  if (outcome.answers === 0 || outcome.rejected > 0) {
    throw new Error(`expected answers to the greedy clients, and none that rejects them: ${JSON.stringify(outcome)}`);
  }
  const alone = [...before, ...(await probeFor(ALONE_SECONDS, probe))];
  return findings({ ...attack, alone, beside, live, peakMib, outcome });
}

/** @returns {import('../lib/finding.mjs').Finding[]} */
function findings({ prefix, neighbour, alone, beside, live, peakMib, outcome }) {
  const [aloneMs, besideMs, liveMs] = [alone, beside, live].map((times) => percentile(times, 99));
  const asked = `${outcome.answers} answers, ${Math.round(outcome.bytes / 2 ** 20)} MiB, ${outcome.busy} times 429 or 503`;
  return [
    {
      key: `${prefix}_quiet_p99`,
      name: `p99 of ${neighbour} beside one that asks for everything`,
      ours: `${besideMs.toFixed(1)} ms`,
      beside: `${aloneMs.toFixed(1)} ms alone; ${asked}`,
      value: besideMs / aloneMs,
      target: { atMost: 3 },
    },
    {
      key: `${prefix}_live_p99_ms`,
      name: '- /health/live meanwhile, p99',
      ours: `${liveMs.toFixed(1)} ms`,
      beside: '',
      value: liveMs,
      unit: 'ms',
      target: { atMost: 100 },
    },
    {
      key: `${prefix}_peak_mib`,
      name: `- resident memory meanwhile, with a heap of ${HEAP_MIB} MiB`,
      ours: `${Math.round(peakMib)} MiB`,
      beside: '',
      value: peakMib,
      unit: 'MiB',
      target: { atMost: 2 * HEAP_MIB },
    },
  ];
}

/** How long each request took, in ms. @param {number} seconds @param {() => Promise<unknown>} send */
async function probeFor(seconds, send) {
  const times = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const startedAt = performance.now();
    await send();
    times.push(performance.now() - startedAt);
    await sleep(PROBE_INTERVAL_MS);
  }
  return times;
}

/** @param {number} pid @param {number} seconds */
async function peakMemory(pid, seconds) {
  let peak = 0;
  for (let second = 0; second < seconds; second++) {
    peak = Math.max(peak, residentMib(pid));
    await sleep(1000);
  }
  return peak;
}
