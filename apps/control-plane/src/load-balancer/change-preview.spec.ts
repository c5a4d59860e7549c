import { describe, expect, it } from '@jest/globals';
import { compareLines } from './change-preview.js';

describe(compareLines.name, () => {
  it('tells which lines come and which go', async () => {
    expect(await compareLines('a\nb\nc\n', ['b\nx\n', 'c\n'])).toEqual({
      added: 1,
      removed: 1,
      sample: ['+ x', '- a'],
    });
  });

  it('does not care where they stand', async () => {
    expect(await compareLines('a\nb\n', ['b\na\n'])).toEqual({ added: 0, removed: 0, sample: [] });
  });

  it('counts how often a line is there', async () => {
    expect(await compareLines('a\na\na\n', ['a\n'])).toMatchObject({ added: 0, removed: 2 });
  });

  it('shows 50 lines at most', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}\n`);
    const { added, sample } = await compareLines('', [lines.join('')]);
    expect([added, sample.length]).toEqual([200, 50]);
  });
});
