import { setImmediate as nextTurn } from 'node:timers/promises';

/** After so long, others get their turn. */
const SLICE_MS = 3;
/** The clock is read after so many. */
const BATCH = 64;

/**
 * Does something with each item, and gives others their turn whenever it has taken some milliseconds.
 *
 * @param batch fewer for what takes longer than some microseconds
 */
export async function inSlices<T>(items: Iterable<T>, handle: (item: T) => void, batch = BATCH): Promise<void> {
  let startedAt = performance.now();
  let left = batch;
  for (const item of items) {
    handle(item);
    left -= 1;
    if (left === 0) {
      left = batch;
      if (performance.now() - startedAt > SLICE_MS) {
        await nextTurn();
        startedAt = performance.now();
      }
    }
  }
}

/** So many are sorted at once; some milliseconds. */
const SORT_BATCH = 4096;

/** Sorts, and gives others their turn meanwhile. */
export async function sortInSlices(texts: readonly string[]): Promise<readonly string[]> {
  const starts = Array.from({ length: Math.ceil(texts.length / SORT_BATCH) }, (_, index) => index * SORT_BATCH);
  let runs: (readonly string[])[] = [];
  await inSlices(starts, (start) => runs.push(texts.slice(start, start + SORT_BATCH).sort()), 1);
  while (runs.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? []));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge(left: readonly string[], right: readonly string[]): Promise<readonly string[]> {
  const merged: string[] = [];
  let taken = 0;
  await inSlices(left, (text) => {
    for (let next = right[taken]; next !== undefined && next < text; next = right[taken]) {
      merged.push(next);
      taken += 1;
    }
    merged.push(text);
  });
  return merged.concat(right.slice(taken));
}
