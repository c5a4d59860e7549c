import { inSlices, sortInSlices } from './slices.js';

const BLOCK_LINES = 2048;
/** With more changes it is faster to rebuild everything. */
const MAX_SINGLE_CHANGES = 2000;

interface Block {
  /** Sorted. */
  readonly keys: readonly string[];
  readonly text: string;
}

export interface LineChanges {
  readonly added: readonly string[];
  /** Keys whose lines have changed. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** The text of a line, including the newline. */
export type PrintLine = (key: string) => string;

/** One line per key, sorted by key. Immutable; a copy with a few changed keys is cheap. */
export class SortedLines {
  private constructor(private readonly blocks: readonly Block[]) {}

  /** Yields to other work meanwhile. */
  static async of(keys: readonly string[], print: PrintLine): Promise<SortedLines> {
    const sorted = await sortInSlices(keys);
    const blocks: Block[] = [];
    const starts = Array.from({ length: Math.ceil(sorted.length / BLOCK_LINES) }, (_, index) => index * BLOCK_LINES);
    await inSlices(starts, (start) => blocks.push(toBlock(sorted.slice(start, start + BLOCK_LINES), print)), 1);
    return new SortedLines(blocks);
  }

  /** Yields to other work meanwhile. */
  async with({ added, changed, removed }: LineChanges, print: PrintLine): Promise<SortedLines> {
    if (added.length + changed.length + removed.length > MAX_SINGLE_CHANGES || this.blocks.length === 0) {
      return SortedLines.of((await this.keysWithout(removed)).concat(added), print);
    }
    const touched = Map.groupBy([...added, ...changed, ...removed], (key) => this.blockOf(key));
    const [fresh, gone] = [new Set(added), new Set(removed)];
    const blocks = this.blocks.flatMap((block, at) => {
      const keys = touched.get(at);
      return keys === undefined
        ? [block]
        : rewrite(
            block,
            keys.filter((key) => fresh.has(key)),
            gone,
            print,
          );
    });
    return new SortedLines(blocks);
  }

  *keys(): Generator<string> {
    for (const { keys } of this.blocks) {
      yield* keys;
    }
  }

  /** The whole text, in pieces. */
  pieces(): string[] {
    return this.blocks.map(({ text }) => text);
  }

  private async keysWithout(removed: readonly string[]): Promise<string[]> {
    const gone = new Set<string>();
    await inSlices(removed, (key) => gone.add(key));
    const kept: string[] = [];
    await inSlices(this.keys(), (key) => {
      if (!gone.has(key)) {
        kept.push(key);
      }
    });
    return kept;
  }

  /** The block in which the key is, or would be. */
  private blockOf(key: string): number {
    let [low, high] = [0, this.blocks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.blocks[middle]?.keys[0] ?? '') <= key) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}

function rewrite(block: Block, fresh: readonly string[], gone: ReadonlySet<string>, print: PrintLine): Block[] {
  const keys = block.keys
    .filter((key) => !gone.has(key))
    .concat(fresh)
    .sort();
  const half = Math.ceil(keys.length / 2);
  const parts = keys.length > 2 * BLOCK_LINES ? [keys.slice(0, half), keys.slice(half)] : [keys];
  return parts.filter((part) => part.length > 0).map((part) => toBlock(part, print));
}

function toBlock(keys: readonly string[], print: PrintLine): Block {
  return { keys, text: keys.map(print).join('') };
}
