import { describe, expect, it } from '@jest/globals';
import { inBatches, type Batch, type BatchLimits } from './batches.js';
import type { InputRecord } from './input-file.js';

describe(inBatches.name, () => {
  async function* records(sizes: readonly number[]): AsyncGenerator<InputRecord> {
    for (const [index, size] of sizes.entries()) {
      const number = index + 1;
      const end = { offset: number * 10, records: number, lines: number };
      yield { number, line: number, end, resource: { text: 'x'.repeat(size) } };
    }
  }

  async function read(sizes: readonly number[], limits: Partial<BatchLimits>): Promise<Batch[]> {
    const batches: Batch[] = [];
    for await (const batch of inBatches(records(sizes), { maxOperations: 100, maxBytes: 10_000, ...limits })) {
      batches.push(batch);
    }
    return batches;
  }

  const numbers = async (sizes: readonly number[], limits: Partial<BatchLimits>): Promise<number[][]> => {
    const batches = await read(sizes, limits);
    return batches.map((batch) => batch.records.map(({ number }) => number));
  };

  it('ends a batch at the most operations', async () => {
    expect(await numbers([1, 1, 1], { maxOperations: 2 })).toEqual([[1, 2], [3]]);
  });

  it('ends a batch before the most bytes', async () => {
    expect(await numbers([300, 300, 300], { maxBytes: 1000 })).toEqual([[1, 2], [3]]);
  });

  it('sends alone what is too large for any batch', async () => {
    expect(await numbers([1, 2000, 1], { maxBytes: 1000 })).toEqual([[1], [2], [3]]);
  });

  it('says where the file goes on', async () => {
    const [batch] = await read([1, 1], {});
    expect(batch?.end).toEqual({ offset: 20, records: 2, lines: 2 });
  });

  it('makes no batch of nothing', async () => {
    expect(await numbers([], {})).toEqual([]);
  });
});
