import { NotRunningError } from '../load-balancer.errors.js';
import { inSlices } from '../rendering/slices.js';
import type { Drift } from '../load-balancer-driver.js';
import type { HaproxyMaster } from './haproxy-master.js';
import type { HaproxyRendering } from './haproxy-rendering.js';
import type { HaproxyWorker } from './haproxy-worker.js';
import { serverDifferences } from './server-update.js';

const MAX_NAMED = 5;

/** Compares the runtime state of HAProxy with the rendering. */
export async function findHaproxyDrift(
  expected: HaproxyRendering,
  worker: HaproxyWorker | undefined,
  master: HaproxyMaster | undefined,
): Promise<Drift[]> {
  try {
    const ofMaster = master === undefined ? [] : await driftOfMaster(master);
    return [...ofMaster, ...(worker === undefined ? [] : await driftOfWorker(expected, worker))];
  } catch (error) {
    if (error instanceof NotRunningError) {
      return [{ kind: 'process', detail: `HAProxy does not answer: ${error.message}` }];
    }
    throw error;
  }
}

async function driftOfMaster(master: HaproxyMaster): Promise<Drift[]> {
  const { failedReloads } = await master.processes();
  return failedReloads === 0
    ? []
    : [{ kind: 'process', detail: `the last ${failedReloads} reloads of HAProxy failed` }];
}

async function driftOfWorker(expected: HaproxyRendering, worker: HaproxyWorker): Promise<Drift[]> {
  const description = await worker.description();
  if (description !== expected.fingerprint) {
    return [
      {
        kind: 'process',
        detail: `HAProxy runs ${description ?? 'a foreign configuration'}, not ${expected.fingerprint}`,
      },
    ];
  }
  const servers = serverDifferences(expected.layout.pools, await worker.servers());
  return [
    ...summarize('server', servers),
    ...summarize('map', await namespaceDifferences(expected, worker)),
    ...summarize('map', await wildcardDifferences(expected, worker)),
  ];
}

function summarize(kind: Drift['kind'], differences: readonly string[]): Drift[] {
  const more = differences.length - MAX_NAMED;
  const named = differences.slice(0, MAX_NAMED).join(', ');
  return differences.length === 0 ? [] : [{ kind, detail: more > 0 ? `${named} and ${more} more` : named }];
}

async function namespaceDifferences({ maps, namespaces }: HaproxyRendering, worker: HaproxyWorker): Promise<string[]> {
  const differences: string[] = [];
  const seen = new Set<string>();
  await worker.eachMapEntry(maps.namespaces, (key, value) => {
    const wanted = namespaces.valueOf(key);
    if (wanted !== value) {
      differences.push(wanted === undefined ? `${key} is not wanted` : `${key} is ${value} instead of ${wanted}`);
    }
    seen.add(key);
  });
  if (seen.size !== namespaces.size || differences.length > 0) {
    await inSlices(namespaces.keys(), (key) => seen.has(key) || differences.push(`${key} is missing`));
  }
  return differences;
}

async function wildcardDifferences({ maps, wildcards }: HaproxyRendering, worker: HaproxyWorker): Promise<string[]> {
  const found: string[] = [];
  await worker.eachMapEntry(maps.wildcards, (key, value) => found.push(`${key} ${value}`));
  const wanted = wildcards.map((entry) => entry.join(' '));
  return found.join('\n') === wanted.join('\n')
    ? []
    : [`wildcards are ${found.length} others than the ${wanted.length} wanted`];
}
