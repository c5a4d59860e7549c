import { setImmediate as nextTurn } from 'node:timers/promises';

/** Other work gets its turn after this time. */
const SLICE_MS = 3;
/** The clock is read after this many items. */
const BATCH = 64;

/**
 * Handles each item, and yields to other work after every few milliseconds.
 *
 * @param batch smaller for items that take longer than some microseconds
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

/** This many are sorted at once, which takes some milliseconds. */
const SORT_BATCH = 4096;

/** Sorts, and yields to other work meanwhile. */
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
