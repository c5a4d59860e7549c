import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parsePoolName, parseProxyId } from '../../../dist/libs/domain/src/index.js';
import { findProgram } from '../../../scripts/lib/test-services/find-program.mjs';
import { progress } from '../../lib/progress.mjs';
import { median } from '../../lib/statistics.mjs';
import { startProxy, withHaproxy } from '../haproxy.mjs';
import { namespacesOf } from '../tenants.mjs';

const TENANTS = 100_000;
const POOL = parsePoolName('standard');
const RELOADS = 20;
const CONNECTIONS = 32;
const BETWEEN_RELOADS_MS = 500;
const MICROSECONDS_PER_MS = 1000;

/**
 * How long it takes until HAProxy does what the control plane wants, and what its clients notice.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureLoadBalancer({ plan }) {
  const binary = findProgram('haproxy');
  if (binary === undefined) {
    progress('there is no haproxy in PATH: not measured');
    return [];
  }
  const proxy = await startProxy();
  const state = stateOf(proxy.port);
  try {
    progress(`measuring how HAProxy gets ${TENANTS} tenants`);
    const applies = await withHaproxy(binary, state(new Map()), (haproxy) =>
      measureApplies(haproxy, state, plan.rounds),
    );
    progress(`measuring ${RELOADS} reloads under load`);
    const reloads = await withHaproxy(binary, state(namespaces()), (haproxy) =>
      measureReloads(haproxy, state(namespaces())),
    );
    return [...describeApplies(applies), describeReloads(reloads)];
  } finally {
    proxy.close();
  }
}

/** @param {number} port of the only proxy */
function stateOf(port) {
  const server = { id: parseProxyId('a'), host: '127.0.0.1', port, weight: 1, state: 'up' };
  let revision = 0;
  return (/** @type {Map<string, string>} */ exact) => ({
    revision: (revision += 1),
    pools: [{ name: POOL, servers: [server] }],
    exact,
    prefixes: new Map(),
    wildcards: new Map(),
  });
}

/** In no order, as tenants come. */
function namespaces() {
  return new Map(namespacesOf(TENANTS, TENANTS).map((name) => [name, POOL]));
}

/**
 * All tenants at once, with everything that belongs to it; then one more, several times, until it is served.
 *
 * @param {import('../haproxy.mjs').Haproxy} haproxy
 * @param {ReturnType<typeof stateOf>} state
 * @param {number} rounds
 */
async function measureApplies({ balancer, get }, state, rounds) {
  const exact = namespaces();
  const first = state(new Map(exact));
  const full = await timed(async () => requireApplied(await balancer.reload(first, 'bench')));
  const single = [];
  for (let round = 0; round < rounds; round += 1) {
    const name = `another-${round}`;
    const next = state(new Map(exact.set(name, POOL)));
    const taken = await timed(async () => {
      requireApplied(await balancer.apply(next, 'bench'));
      if ((await get(name)) !== 200) {
        throw new Error(`${name} is not served`);
      }
    });
    single.push(taken);
  }
  return { full, single };
}

/**
 * How long it took, and the most that this thread computed before a timer had its turn: what others had to wait for, without
 * what the rest of the machine does.
 *
 * @param {() => Promise<void>} work
 */
async function timed(work) {
  let before = computedMs();
  let blockedMs = 0;
  const watch = setInterval(() => {
    const now = computedMs();
    blockedMs = Math.max(blockedMs, now - before);
    before = now;
  }, 1);
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  clearInterval(watch);
  return { ms, blockedMs };
}

function computedMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / MICROSECONDS_PER_MS;
}

/** A reload of what is served already leaves it unchanged. @param {{ result: string, reason?: string }} version */
function requireApplied({ result, reason }) {
  if (result !== 'applied' && result !== 'unchanged') {
    throw new Error(`a state was ${result}: ${reason}`);
  }
}

/** @param {import('../haproxy.mjs').Haproxy} haproxy @param {any} state */
async function measureReloads({ balancer, port }, state) {
  const [namespace] = state.exact.keys();
  const load = fork(new URL('../keep-alive-worker.mjs', import.meta.url), [port, CONNECTIONS, namespace].map(String));
  const reloadMs = [];
  for (let reload = 0; reload < RELOADS; reload += 1) {
    await sleep(BETWEEN_RELOADS_MS);
    const { ms } = await timed(async () => requireApplied(await balancer.reload(state, 'bench')));
    reloadMs.push(ms);
  }
  load.send('stop');
  const [counts] = await once(load, 'message');
  return { ...counts, reloadMs };
}

/** @param {Awaited<ReturnType<typeof measureApplies>>} applies */
function describeApplies({ full, single }) {
  const singleMs = median(single.map(({ ms }) => ms));
  const blockedMs = Math.max(full.blockedMs, ...single.map((each) => each.blockedMs));
  return [
    {
      key: 'full_apply_s_100k',
      name: '100,000 tenants, checked, loaded and verified',
      ours: `${(full.ms / 1000).toFixed(2)} s`,
      beside: '',
      value: full.ms / 1000,
      unit: 's',
      target: { atMost: 2 },
    },
    {
      key: 'single_apply_ms_100k',
      name: '- one tenant more, until it is served',
      ours: `${singleMs.toFixed(0)} ms`,
      beside: `longest ${Math.max(...single.map(({ ms }) => ms)).toFixed(0)} ms`,
      value: singleMs,
      unit: 'ms',
      target: { atMost: 250 },
    },
    {
      key: 'apply_blocked_ms_100k',
      name: '- longest time without a turn for others',
      ours: `${blockedMs.toFixed(0)} ms`,
      beside: '',
      value: blockedMs,
      unit: 'ms',
      target: { atMost: 50 },
    },
  ];
}

/** @param {Awaited<ReturnType<typeof measureReloads>>} reloads */
function describeReloads({ succeeded, failed, reloadMs }) {
  return {
    key: 'reload_failed_requests',
    name: `failed requests in ${RELOADS} reloads, ${CONNECTIONS} connections`,
    ours: `${failed} of ${succeeded + failed}`,
    beside: `a reload takes ${median(reloadMs).toFixed(0)} ms`,
    value: failed,
    unit: 'requests',
    target: { atMost: 0 },
  };
}
