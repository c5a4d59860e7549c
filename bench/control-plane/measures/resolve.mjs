import { parseNamespacePattern, parsePoolName, parseTenantId } from '../../../dist/libs/domain/src/index.js';
import { RoutingTable } from '../../../dist/apps/control-plane/src/routing/table/routing-table.js';
import { progress } from '../../lib/progress.mjs';
import { median, medianRatio } from '../../lib/statistics.mjs';
import { namespacesOf, patternOf } from '../tenants.mjs';

const FEW = 10;
const MANY = 100_000;
/** So many namespaces are in use at a time, whatever the number of tenants. */
const IN_USE = 1000;
const POOL = parsePoolName('standard');

/**
 * Finding the route of a namespace, among few and among many tenants, beside matching pattern by pattern.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureResolve({ plan, peers }) {
  progress(`measuring routes among ${FEW} and ${MANY} tenants`);
  const [few, many] = [createTable(FEW), createTable(MANY)];
  const [usedOfFew, usedOfMany, anyOfMany] = [
    namespacesOf(FEW, IN_USE),
    namespacesOf(MANY, IN_USE),
    namespacesOf(MANY, MANY),
  ];
  const times = takeTurns(plan.rounds, {
    few: () => timeLookups(few, usedOfFew, plan.lookups),
    many: () => timeLookups(many, usedOfMany, plan.lookups),
    cold: () => timeLookups(many, anyOfMany, plan.lookups),
  });
  progress(`measuring picomatch among ${MANY} patterns`);
  const matchers = Array.from({ length: MANY }, (_, at) => peers.picomatch(patternOf(at)));
  const peer = takeTurns(plan.rounds, { peer: () => timeMatchers(matchers, anyOfMany, plan.peerLookups) }).peer;
  const speedUp = medianRatio(peer, times.cold);
  return [
    {
      key: 'resolve_us_100k',
      name: 'route of a namespace, 100,000 tenants, any of them',
      ours: formatMicroseconds(times.cold),
      beside: `${IN_USE} namespaces in use ${formatMicroseconds(times.many)}`,
      value: median(times.cold),
      unit: 'us',
      target: { atMost: 3 },
    },
    {
      key: 'resolve_100k_vs_10',
      name: `- ${IN_USE} namespaces in use, beside 10 tenants`,
      ours: formatMicroseconds(times.many),
      beside: `10 tenants ${formatMicroseconds(times.few)}`,
      value: medianRatio(times.many, times.few),
      target: { atMost: 1.5 },
    },
    {
      key: 'resolve_vs_picomatch',
      name: '- beside matching pattern by pattern',
      ours: formatMicroseconds(times.cold),
      beside: `picomatch ${formatMicroseconds(peer)}`,
      value: speedUp,
      target: { atLeast: 1000 },
    },
  ];
}

/** @param {number} tenants */
function createTable(tenants) {
  const table = new RoutingTable({
    deployment: { model: 'multi_tenant' },
    pools: new Map([
      [POOL, { name: POOL, replicas: 1, resources: { cpu: 1, memoryBytes: 1 }, isolationLevel: 'namespace' }],
    ]),
    routing: { namespaceRoutes: [], rules: [], drainMs: 0 },
    isolation: {
      connectionPools: {},
      resourceLimits: {},
      sessions: {},
      audit: { logsConnections: false, logsSessions: false },
    },
  });
  const at = new Date(0);
  const changed = Array.from({ length: tenants }, (_, index) => ({
    id: parseTenantId(`t${index}`),
    namespacePatterns: [parseNamespacePattern(patternOf(index))],
    pool: POOL,
    source: 'api',
    version: 1,
    createdAt: at,
    modifiedAt: at,
  }));
  table.apply({ revision: 1, changed, removed: [] });
  return table;
}

/**
 * Each in turn (A B C A B C …), so that whatever else the machine does hits all alike. The first round warms up.
 *
 * @template {string} Name
 * @param {number} rounds
 * @param {Record<Name, () => number>} measures
 * @returns {Record<Name, number[]>}
 */
function takeTurns(rounds, measures) {
  const entries = Object.entries(measures);
  const taken = Array.from({ length: rounds + 1 }, () => entries.map(([name, measure]) => [name, measure()])).slice(1);
  return Object.fromEntries(entries.map(([name], index) => [name, taken.map((round) => round[index][1])]));
}

/**
 * Microseconds for one lookup. Each asks with a text of its own, as requests do: nothing about it was worked out before.
 *
 * @param {RoutingTable} table
 * @param {readonly string[]} namespaces
 * @param {number} lookups
 */
function timeLookups(table, namespaces, lookups) {
  const asked = askedInTurn(namespaces, lookups);
  const startedAt = performance.now();
  let found = 0;
  for (const namespace of asked) {
    found += table.resolve(namespace)?.pool === POOL ? 1 : 0;
  }
  return perLookup(startedAt, found, lookups);
}

/** @param {readonly ((text: string) => boolean)[]} matchers @param {readonly string[]} namespaces @param {number} lookups */
function timeMatchers(matchers, namespaces, lookups) {
  const asked = askedInTurn(namespaces, lookups);
  const startedAt = performance.now();
  let found = 0;
  for (const namespace of asked) {
    found += matchers.some((matches) => matches(namespace)) ? 1 : 0;
  }
  return perLookup(startedAt, found, lookups);
}

/** @param {readonly string[]} namespaces @param {number} count */
function askedInTurn(namespaces, count) {
  const step = 7919;
  return Array.from({ length: count }, (_, index) =>
    Buffer.from(namespaces[(index * step) % namespaces.length]).toString('latin1'),
  );
}

/** @param {number} startedAt @param {number} found @param {number} lookups */
function perLookup(startedAt, found, lookups) {
  const elapsedMs = performance.now() - startedAt;
  if (found !== lookups) {
    throw new Error(`${lookups - found} of ${lookups} namespaces were not found`);
  }
  return (elapsedMs * 1000) / lookups;
}

/** @param {readonly number[]} microseconds */
function formatMicroseconds(microseconds) {
  const value = median(microseconds);
  return value < 1000 ? `${value.toFixed(3)} us` : `${(value / 1000).toFixed(1)} ms`;
}
