import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { clonedName } from '../../control-plane/population.mjs';
import { progress } from '../../lib/progress.mjs';
import { median, percentile } from '../../lib/statistics.mjs';
import { POOLS, PROXIES } from '../site.mjs';

const WITHIN_MS = 10_000;
/** Until then every proxy watches. */
const BEFORE_CHANGE_MS = 50;

/** One after the other, so that each is a change; what a proxy lets be seen before it and afterwards. */
const CHANGES = [
  { terms: { isolation_level: 'session' }, aspect: 'level', before: 'open', expected: 'SESSION_REQUIRED' },
  { terms: { isolation_level: 'namespace' }, aspect: 'level', before: 'SESSION_REQUIRED', expected: 'open' },
  { terms: { connection_pools: connections(1) }, aspect: 'limit', before: 'several', expected: 'one' },
  { terms: { connection_pools: connections(3) }, aspect: 'limit', before: 'one', expected: 'several' },
];

/**
 * How long what is decided about tenants takes to be in force at all proxies of their pool, and what their terms cost a proxy.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measurePolicy(context) {
  const { plan, site } = context;
  progress(`starting ${plan.starts} proxies, one after the other`);
  const [starts, bytes] = await measureStarts(context);
  progress(`starting ${PROXIES} proxies, and measuring ${plan.changes} changes of tenants`);
  const proxies = await Promise.all(Array.from({ length: PROXIES }, (_, at) => site.startProxy(`policy-${at + 1}`)));
  const applied = [];
  for (let at = 0; at < plan.changes; at += 1) {
    applied.push(await measureChange(site, proxies, at));
  }
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  return describe(plan, { applied, starts, bytes });
}

/**
 * From the answer to the request until the last of the proxies lets it be seen, in ms.
 *
 * @param {import('../site.mjs').Site} site @param {readonly Awaited<ReturnType<import('../site.mjs').Site['startProxy']>>[]} proxies
 * @param {number} at
 */
async function measureChange({ controlPlane }, proxies, at) {
  const { terms, aspect, before, expected } = CHANGES[at % CHANGES.length];
  const namespace = clonedName(Math.floor(at / CHANGES.length));
  const watch = (/** @type {string} */ state) =>
    Promise.all(
      proxies.map((proxy) => proxy.tell('watch', { namespace, aspect, expected: state, withinMs: WITHIN_MS })),
    );
  await watch(before);
  const seen = watch(expected);
  // An error is told when it is awaited.
  seen.catch(() => {});
  await sleep(BEFORE_CHANGE_MS);
  await controlPlane.put(`/tenants/${namespace}`, { namespace_pattern: namespace, pool: POOLS.ours, ...terms });
  const answeredAtNs = process.hrtime.bigint();
  return Math.max(0, ...(await seen).map((atNs) => Number(BigInt(atNs) - answeredAtNs) / 1e6));
}

/**
 * How long a proxy takes until the policy is in force, in seconds; and what more it has in memory than one of a pool without
 * tenants, per tenant.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<[number[], number]>}
 */
async function measureStarts({ plan, site }) {
  const seconds = [];
  const empty = await site.startProxy('empty', POOLS.other);
  const base = await empty.tell('memory');
  await empty.stop();
  const grown = [];
  for (let start = 0; start < plan.starts; start += 1) {
    const proxy = await site.startProxy(`start-${start + 1}`);
    const { governedMs, tenants } = await proxy.tell('started');
    if (tenants !== plan.poolTenants) {
      throw new Error(`expected ${plan.poolTenants} tenants in the policy, found ${tenants}`);
    }
    seconds.push(governedMs / 1000);
    grown.push(((await proxy.tell('memory')).bytes - base.bytes) / tenants);
    await proxy.stop();
  }
  return [seconds, median(grown)];
}

/** The longest time, and what was seen after it. @param {readonly number[]} applied */
function describeLongest(applied) {
  const longest = Math.max(...applied);
  const at = applied.indexOf(longest);
  return `${longest.toFixed(0)} ms, change ${at + 1} of ${applied.length}: ${CHANGES[at % CHANGES.length].expected}`;
}

/** @param {number} most */
function connections(most) {
  return { postgres: { connections_per_namespace: most } };
}

/**
 * @param {import('../plan.mjs').Plan} plan
 * @param {{ applied: readonly number[], starts: readonly number[], bytes: number }} measured
 * @returns {import('../../lib/finding.mjs').Finding[]}
 */
function describe({ tenants, poolTenants }, { applied, starts, bytes }) {
  return [
    {
      key: 'policy_applied_p99_ms',
      name: `change of a tenant in force at ${PROXIES} proxies, ${tenants} tenants, p99`,
      ours: `median ${median(applied).toFixed(0)} ms`,
      beside: `longest ${describeLongest(applied)}`,
      value: percentile(applied, 99),
      unit: 'ms',
      target: { atMost: 250 },
    },
    {
      key: 'policy_full_s',
      name: `complete policy of ${poolTenants} tenants to a starting proxy`,
      ours: `${median(starts).toFixed(2)} s`,
      beside: `longest ${Math.max(...starts).toFixed(2)} s`,
      value: median(starts),
      unit: 's',
      target: { atMost: 2 },
    },
    {
      key: 'policy_bytes_per_tenant',
      name: 'memory of a proxy per tenant of its policy',
      ours: `${bytes.toFixed(0)} B`,
      beside: '',
      value: bytes,
      unit: 'B',
      target: { atMost: 2048 },
    },
  ];
}
