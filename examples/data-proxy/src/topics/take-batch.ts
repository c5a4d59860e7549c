import { setTimeout as sleep } from 'node:timers/promises';

export interface BatchLimits {
  readonly max: number;
  /** How long to wait for each of them. */
  readonly waitMs: number;
  /** Bytes after which no more are taken. */
  readonly maxBytes: number;
}

/** What comes until there is enough, or nothing comes for so long. */
export async function takeBatch<T>(
  source: AsyncIterator<T, unknown>,
  sizeOf: (item: T) => number,
  { max, waitMs, maxBytes }: BatchLimits,
): Promise<T[]> {
  const batch: T[] = [];
  let bytes = 0;
  while (batch.length < max && bytes < maxBytes) {
    const end = new AbortController();
    const next = source.next();
    // Left alone when the time is over; the source is closed then.
    next.catch(() => {});
    const result = await Promise.race([next, sleep(waitMs, undefined, { signal: end.signal }).catch(() => undefined)]);
    end.abort();
    if (result === undefined || result.done === true) {
      break;
    }
    batch.push(result.value);
    bytes += sizeOf(result.value);
  }
  return batch;
}
