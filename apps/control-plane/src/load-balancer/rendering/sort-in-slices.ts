import { inSlices } from './in-slices.js';

/** So many are sorted at once; some milliseconds. */
const BATCH = 4096;

/** Sorts, and gives others their turn meanwhile. */
export async function sortInSlices(texts: readonly string[]): Promise<readonly string[]> {
  const starts = Array.from({ length: Math.ceil(texts.length / BATCH) }, (_, index) => index * BATCH);
  let runs: (readonly string[])[] = [];
  await inSlices(starts, (start) => runs.push(texts.slice(start, start + BATCH).sort()), 1);
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
