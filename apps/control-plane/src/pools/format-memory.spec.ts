import { describe, expect, it } from '@jest/globals';
import { formatMemory } from './format-memory.js';

describe(formatMemory.name, () => {
  it.each([
    [4 * 2 ** 30, '4Gi'],
    [1.5 * 2 ** 30, '1536Mi'],
    [3 * 2 ** 10, '3Ki'],
    [4_000_000_000, '3906250Ki'],
    [1001, '1001'],
    [0, '0'],
  ])('writes %d as %s', (bytes, text) => {
    expect(formatMemory(bytes)).toBe(text);
  });
});
