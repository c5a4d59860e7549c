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
