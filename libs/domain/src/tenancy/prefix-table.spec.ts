import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { PrefixTable, hashPrefixes } from './prefix-table.js';

const keys = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 4 });
const changes = fc.array(fc.record({ key: keys, isAdded: fc.boolean(), value: fc.nat() }), { maxLength: 300 });

/** Two keys of one hash, which differs from process to process. Among a million there are some hundred such pairs. */
function findCollision(): readonly [string, string] {
  const keyByHash = new Map<number | undefined, string>();
  for (let at = 0; at < 1_000_000; at += 1) {
    const key = `tenant-${at}`;
    const hash = hashPrefixes(key)[key.length];
    const known = keyByHash.get(hash);
    if (known !== undefined) {
      return [known, key];
    }
    keyByHash.set(hash, key);
  }
  throw new Error('expected two keys of one hash among a million');
}

describe(PrefixTable.name, () => {
  it('holds what a Map holds, whatever was added and removed before', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        const table = new PrefixTable<{ value: number }>();
        const model = new Map<string, { value: number }>();
        const seen = new Set<string>();
        for (const { key, isAdded, value } of steps) {
          seen.add(key);
          if (isAdded) {
            table.set(key, { value });
            model.set(key, { value });
          } else {
            table.delete(key);
            model.delete(key);
          }
        }
        expect(table.size).toBe(model.size);
        for (const key of seen) {
          expect(table.get(key)).toEqual(model.get(key));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('finds the beginnings of a text', () => {
    const table = new PrefixTable<{ of: string }>();
    ['', 'acme', 'acme-eu', 'acme-us'].forEach((of) => table.set(of, { of }));
    const text = 'acme-eu-1';
    const hashes = hashPrefixes(text);
    const found = Array.from({ length: text.length + 1 }, (_, length) => table.at(hashes, text, length)?.of);
    expect(found).toEqual([
      '',
      undefined,
      undefined,
      undefined,
      'acme',
      undefined,
      undefined,
      'acme-eu',
      undefined,
      undefined,
    ]);
  });

  it('keeps 100,000 keys apart', () => {
    const table = new PrefixTable<{ at: number }>();
    for (let at = 0; at < 100_000; at += 1) {
      table.set(`tenant-${at}`, { at });
    }
    for (let at = 0; at < 100_000; at += 2) {
      table.delete(`tenant-${at}`);
    }
    const found = Array.from({ length: 100_000 }, (_, at) => table.get(`tenant-${at}`)?.at);
    expect(found.every((value, at) => value === (at % 2 === 0 ? undefined : at))).toBe(true);
    expect(table.size).toBe(50_000);
  });

  it('keeps keys of the same hash apart', () => {
    const [one, other] = findCollision();
    const table = new PrefixTable<{ of: string }>();
    table.set(one, { of: 'one' });
    expect(table.get(other)).toBeUndefined();
    table.delete(other);
    expect(table.get(one)).toEqual({ of: 'one' });
    table.set(other, { of: 'other' });
    expect([table.size, table.get(one), table.get(other)]).toEqual([2, { of: 'one' }, { of: 'other' }]);
    table.delete(one);
    expect([table.size, table.get(one), table.get(other)]).toEqual([1, undefined, { of: 'other' }]);
  });

  it('takes keys of at most 63 characters, and knows no longer ones', () => {
    const table = new PrefixTable<object>();
    table.set('a'.repeat(63), {});
    expect(() => table.set('a'.repeat(64), {})).toThrow(RangeError);
    expect(table.get('a'.repeat(64))).toBeUndefined();
    table.delete('a'.repeat(64));
    expect(table.size).toBe(1);
  });
});
