import { pause } from '@palisade/async';

export interface BatchLimits {
  readonly max: number;
  /** How long to wait for each item. */
  readonly waitMs: number;
  /** No further item is taken once the batch has this many bytes. */
  readonly maxBytes: number;
}

/** Takes items until a limit is reached, the source ends, or no item comes in time. */
export async function takeBatch<T>(
  source: AsyncIterator<T, unknown>,
  sizeOf: (item: T) => number,
  { max, waitMs, maxBytes }: BatchLimits,
): Promise<T[]> {
  const batch: T[] = [];
  let bytes = 0;
  while (batch.length < max && bytes < maxBytes) {
    const result = await nextWithin(source, waitMs);
    if (result === undefined || result.done === true) {
      break;
    }
    batch.push(result.value);
    bytes += sizeOf(result.value);
  }
  return batch;
}

/** The next result of the source; undefined when it does not come in time. The source must be closed then. */
async function nextWithin<T>(
  source: AsyncIterator<T, unknown>,
  waitMs: number,
): Promise<IteratorResult<T, unknown> | undefined> {
  const next = source.next();
  // After the time is over, nobody waits for it: closing the source may make it fail.
  next.catch(() => {});
  const waiting = new AbortController();
  try {
    return (await Promise.race([next, pause(waitMs, waiting.signal)])) ?? undefined;
  } finally {
    waiting.abort();
  }
}
