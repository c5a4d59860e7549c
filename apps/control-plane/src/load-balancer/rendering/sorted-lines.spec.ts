import { describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import { SortedLines } from './sorted-lines.js';

const names = fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', '-', '/'), minLength: 1, maxLength: 4 }), {
  maxLength: 30,
});
const printAll = (values: ReadonlyMap<string, number>) => (key: string) => `${key}=${values.get(key)}\n`;
const textOf = (values: ReadonlyMap<string, number>) => [...values.keys()].sort().map(printAll(values)).join('');
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `n${(index * 7919) % count}`);

describe(SortedLines.name, () => {
  it('has one line per key, in order', async () => {
    const lines = await SortedLines.of(['b', 'a', 'c'], (key) => `${key}!\n`);
    expect(lines.pieces().join('')).toBe('a!\nb!\nc!\n');
  });

  it('is the same however it came about', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(names, { minLength: 1, maxLength: 5 }), async (steps) => {
        let lines: SortedLines | undefined;
        let values = new Map<string, number>();
        for (const [step, keys] of steps.entries()) {
          const next = new Map(keys.map((key, index) => [key, (step + index) % 3]));
          const changes = {
            added: keys.filter((key) => !values.has(key)),
            changed: keys.filter((key) => values.has(key) && values.get(key) !== next.get(key)),
            removed: [...values.keys()].filter((key) => !next.has(key)),
          };
          lines = await (lines?.with(changes, printAll(next)) ?? SortedLines.of(keys, printAll(next)));
          values = next;
          expect(lines.pieces().join('')).toBe(textOf(values));
          expect([...lines.keys()]).toEqual([...values.keys()].sort());
        }
      }),
    );
  });

  it.each([1, 100, 3000, 12_000])('takes %i more keys among 10,000', async (count) => {
    const print = (key: string) => `${key}\n`;
    const before = await SortedLines.of(numbered(10_000), print);
    const added = Array.from({ length: count }, (_, index) => `m${index}`);
    const after = await before.with({ added, changed: [], removed: ['n5'] }, print);
    const expected = [...numbered(10_000).filter((key) => key !== 'n5'), ...added].sort().map(print);
    expect(after.pieces().join('')).toBe(expected.join(''));
    expect(before.pieces().join('')).toBe(numbered(10_000).sort().map(print).join(''));
  });

  it('keeps most pieces as they are when one key comes', async () => {
    const print = (key: string) => `${key}\n`;
    const before = await SortedLines.of(numbered(20_000), print);
    const known = new Set(before.pieces());
    const after = await before.with({ added: ['n5x'], changed: [], removed: [] }, print);
    expect(after.pieces().filter((piece) => !known.has(piece))).toHaveLength(1);
  });

  it('gives others their turn after each piece that took long', async () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 10));
    let turns = 0;
    const countTurns = (): void => {
      turns += 1;
      next = setImmediate(countTurns);
    };
    let next = setImmediate(countTurns);
    await SortedLines.of(numbered(100_000), (key) => `${key}\n`);
    clearImmediate(next);
    clock.mockRestore();
    expect(turns).toBeGreaterThan(100_000 / 2048);
  });
});
