import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { matchesNamespace, parseNamespacePattern, type NamespacePattern } from './namespace-pattern.js';
import { patternsOverlap } from './pattern-overlap.js';

/** All namespaces of up to seven characters over "a", "b" and the hyphen: more than the patterns below can tell apart. */
const NAMESPACES = words(7).filter((word) => !word.startsWith('-') && !word.endsWith('-'));
/** Up to four characters: whatever two of them have in common, they have a namespace of up to seven in common. */
const patterns = fc
  .stringMatching(/^[ab*?]([-ab*?]{0,2}[ab*?])?$/)
  .map((text): NamespacePattern => parseNamespacePattern(text));

function words(maxLength: number): string[] {
  const shorter = maxLength === 1 ? [''] : ['', ...words(maxLength - 1)];
  return [...new Set(shorter.flatMap((word) => ['a', 'b', '-'].map((letter) => word + letter)))];
}

function overlap(a: string, b: string): boolean {
  return patternsOverlap(parseNamespacePattern(a), parseNamespacePattern(b));
}

describe(patternsOverlap.name, () => {
  it('agrees with trying every namespace', () => {
    fc.assert(
      fc.property(patterns, patterns, (a, b) => {
        const expected = NAMESPACES.some((each) => matchesNamespace(a, each) && matchesNamespace(b, each));
        expect(patternsOverlap(a, b)).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it('does not depend on the order of the two', () => {
    fc.assert(fc.property(patterns, patterns, (a, b) => patternsOverlap(a, b) === patternsOverlap(b, a)));
  });

  it.each([
    ['acme-*', '*-eu', true, 'acme-eu'],
    ['acme-*', 'acme', false, 'the name lacks the hyphen'],
    ['acme-*', 'acme-eu', true, 'the name itself'],
    ['*', 'x', true, 'everything'],
    ['??', '?', false, 'lengths differ'],
    ['a*b', 'b*a', false, 'they begin differently'],
    ['a*', 'a?*', true, 'ab'],
  ])('says of %j and %j: %j (%s)', (a, b, expected) => {
    expect(overlap(a, b)).toBe(expected);
  });

  it('knows that no namespace begins or ends with a hyphen', () => {
    expect(overlap('?a', '*-a')).toBe(false);
    expect(overlap('a?', 'a-*')).toBe(false);
  });

  it('knows that no namespace has more than 63 characters', () => {
    const [head, tail] = ['a'.repeat(40), 'b'.repeat(40)];
    expect(overlap(`${head}*`, `*${tail}`)).toBe(false);
    expect(overlap(`${head}*`, `*${'b'.repeat(23)}`)).toBe(true);
    expect(overlap(`${head}*`, `*${'b'.repeat(24)}`)).toBe(false);
  });

  it('finds of every pattern that some namespace matches it', () => {
    const any = fc.stringMatching(/^[ab*?]([-ab*?]{0,61}[ab*?])?$/).map(parseNamespacePattern);
    fc.assert(fc.property(any, (pattern) => patternsOverlap(pattern, pattern)));
  });

  it('takes patterns that make a backtracking search explode', () => {
    expect(overlap(`${'*a'.repeat(31)}`, `${'*b'.repeat(30)}c`)).toBe(false);
  });
});
