import { describe, expect, it } from '@jest/globals';
import { parseNamespacePattern, parseTenantId, patternsOverlap } from '@palisade/domain';
import * as fc from 'fast-check';
import { PatternTable } from './pattern-table.js';

const [a, b] = [parseTenantId('a'), parseTenantId('b')];

const pattern = fc
  .string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 5 })
  .map(parseNamespacePattern);

describe(PatternTable.name, () => {
  it('finds an overlap exactly when one of the patterns overlaps', () => {
    fc.assert(
      fc.property(fc.uniqueArray(pattern), pattern, (patterns, wanted) => {
        const table = new PatternTable();
        patterns.forEach((each) => table.add(a, each));

        const overlapping = patterns.filter((each) => patternsOverlap(each, wanted));

        const found = table.findOverlap(b, wanted);
        expect(found === undefined).toBe(overlapping.length === 0);
        expect(found === undefined || overlapping.includes(found.pattern)).toBe(true);
        expect(table.findOverlap(a, wanted)).toBeUndefined();
      }),
    );
  });

  it('keeps nothing of patterns that are deleted, and counts the costly ones', () => {
    fc.assert(
      fc.property(fc.uniqueArray(pattern), (patterns) => {
        const table = new PatternTable();
        patterns.forEach((each) => table.add(a, each));
        patterns.forEach((each) => table.delete(a, each));

        expect(table).toEqual(new PatternTable());
      }),
    );
  });

  it('leaves alone what is not there', () => {
    const table = new PatternTable();
    table.add(a, parseNamespacePattern('x?'));

    table.delete(b, parseNamespacePattern('x?'));
    table.delete(a, parseNamespacePattern('x*y'));

    expect(table.wildcardCount).toBe(1);
    expect(table.findOverlap(b, parseNamespacePattern('xy'))).toEqual({ tenant: a, pattern: 'x?' });
  });
});
