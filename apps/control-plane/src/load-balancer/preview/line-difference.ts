import { inSlices } from '../rendering/in-slices.js';

const MAX_SAMPLE = 50;

export interface LineDifference {
  readonly added: number;
  readonly removed: number;
  /** The first of both, with `+` and `-` before them. */
  readonly sample: readonly string[];
}

/** Which lines come and which go, wherever they stand. */
export async function compareLines(before: string, pieces: readonly string[]): Promise<LineDifference> {
  const surplus = new Map<string, number>();
  await inSlices(linesOf([before]), (line) => surplus.set(line, (surplus.get(line) ?? 0) + 1));
  const sample: string[] = [];
  let [added, removed] = [0, 0];
  const note = (line: string): void => {
    if (sample.length < MAX_SAMPLE) {
      sample.push(line);
    }
  };
  await inSlices(linesOf(pieces), (line) => {
    const left = surplus.get(line) ?? 0;
    if (left > 0) {
      surplus.set(line, left - 1);
    } else {
      added += 1;
      note(`+ ${line}`);
    }
  });
  await inSlices(surplus, ([line, left]) => {
    removed += left;
    if (left > 0) {
      note(`- ${line}`);
    }
  });
  return { added, removed, sample };
}

/** Pieces end with a line, and so does a file; the empty ones are left out. */
function* linesOf(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) {
    for (let start = 0; start < piece.length;) {
      const newline = piece.indexOf('\n', start);
      const end = newline === -1 ? piece.length : newline;
      if (end > start) {
        yield piece.slice(start, end);
      }
      start = end + 1;
    }
  }
}
