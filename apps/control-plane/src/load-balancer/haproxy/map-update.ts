import type { Fence } from '../files/leader.js';
import type { HaproxyMaster } from './haproxy-master.js';
import { BACKEND_PREFIX } from './haproxy-configuration.js';
import type { HaproxyWorker } from './haproxy-worker.js';
import type { NamespaceTable } from './namespace-table.js';

/** With more changes, replacing the whole map is faster than changing its entries. */
const MAX_SINGLE_CHANGES = 1000;
/** At most this many replaced workers are updated. */
const MAX_OLD_WORKERS = 10;

/**
 * Updates a worker's map: by single commands when little has changed since `from`; otherwise, or when the number of entries
 * is wrong afterwards, by replacing it.
 *
 * @throws {Error} when the worker has another number of entries afterwards
 */
export async function updateMap(
  worker: HaproxyWorker,
  path: string,
  from: NamespaceTable | undefined,
  to: NamespaceTable,
): Promise<void> {
  if (from !== undefined && (await changeEntries(worker, path, from, to))) {
    return;
  }
  await replaceMap(worker, path, entriesOf(to), to.size);
}

/**
 * Replaces a map by these entries, in this order.
 *
 * @throws {Error} when the worker has another number of entries afterwards
 */
export async function replaceMap(
  worker: HaproxyWorker,
  path: string,
  entries: Iterable<readonly [string, string]>,
  count: number,
): Promise<void> {
  await worker.replaceMap(path, entries);
  const found = await worker.countMap(path);
  if (found !== count) {
    throw new Error(`the map ${path} has ${found} entries instead of ${count}`);
  }
}

/**
 * Updates replaced workers as well: they answer one more request on each connection that a client has kept. Errors do not
 * matter there; entries whose destinations a worker does not know stay as they were.
 */
export async function updateOldWorkers(
  master: HaproxyMaster,
  fence: Fence,
  path: string,
  from: NamespaceTable,
  to: NamespaceTable,
): Promise<void> {
  const { added, changed, removed } = await to.changesSince(from);
  if (added.length + changed.length + removed.length > MAX_SINGLE_CHANGES) {
    return;
  }
  for (const worker of (await master.oldWorkers()).slice(0, MAX_OLD_WORKERS)) {
    const backends = await worker.backends();
    const isKnown = (key: string): boolean => backends.has(`${BACKEND_PREFIX}${to.valueOf(key)?.split('/')[0]}`);
    await worker
      .behind(fence)
      .run([
        ...added
          .filter(isKnown)
          .flatMap((key) => [`del map ${path} ${key}`, `add map ${path} ${key} ${to.valueOf(key)}`]),
        ...changed.filter(isKnown).map((key) => `set map ${path} ${key} ${to.valueOf(key)}`),
        ...removed.map((key) => `del map ${path} ${key}`),
      ]);
  }
}

/** False when there are too many changes, or the number of entries is wrong afterwards. */
async function changeEntries(
  worker: HaproxyWorker,
  path: string,
  from: NamespaceTable,
  to: NamespaceTable,
): Promise<boolean> {
  const { added, changed, removed } = await to.changesSince(from);
  if (added.length + changed.length + removed.length > MAX_SINGLE_CHANGES) {
    return false;
  }
  const value = (key: string): string => to.valueOf(key) ?? '';
  const answer = await worker.run([
    ...added.map((key) => `add map ${path} ${key} ${value(key)}`),
    ...changed.map((key) => `set map ${path} ${key} ${value(key)}`),
    ...removed.map((key) => `del map ${path} ${key}`),
  ]);
  return answer === '' && (await worker.countMap(path)) === to.size;
}

function* entriesOf(table: NamespaceTable): Generator<readonly [string, string]> {
  for (const key of table.keys()) {
    yield [key, table.valueOf(key) ?? ''];
  }
}
