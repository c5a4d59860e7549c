import { describe, expect, it } from '@jest/globals';
import { comparePatterns, matchesNamespace, parseNamespacePattern, type NamespacePattern } from '@palisade/domain';
import * as fc from 'fast-check';
import { intersectPatterns } from './pattern-intersection.js';
import { runs } from '../../../../../test/support/effort.js';

const patterns = fc
  .stringMatching(/^[ab*?]([-ab*?]{0,4}[ab*?])?$/)
  .map((text): NamespacePattern => parseNamespacePattern(text));
const namespaces = fc.stringMatching(/^[ab]([-ab]{0,7}[ab])?$/);

function intersect(a: string, b: string): readonly string[] | undefined {
  return intersectPatterns(parseNamespacePattern(a), parseNamespacePattern(b))?.toSorted();
}

describe(intersectPatterns.name, () => {
  it('matches what both match, and nothing else', () => {
    fc.assert(
      fc.property(patterns, patterns, fc.array(namespaces, { minLength: 10, maxLength: 10 }), (a, b, asked) => {
        const parts = intersectPatterns(a, b) ?? [];
        for (const namespace of asked) {
          const isCommon = matchesNamespace(a, namespace) && matchesNamespace(b, namespace);
          expect(parts.some((part) => matchesNamespace(part, namespace))).toBe(isCommon);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('gives patterns that come before both, or are one of them', () => {
    fc.assert(
      fc.property(patterns, patterns, (a, b) => {
        for (const part of intersectPatterns(a, b) ?? []) {
          const others = [a, b].filter((each) => intersectPatterns(each, part)?.join() !== each);
          others.forEach((each) => expect(comparePatterns(part, each)).toBeLessThan(0));
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it.each([
    ['acme-*', '*-eu', ['acme-*-eu', 'acme-eu']],
    ['acme-*', 'acme-eu-*', ['acme-eu-*']],
    ['acme-*', 'acme-eu', ['acme-eu']],
    ['acme-*', 'other-*', []],
    ['a*', '*', ['a*']],
    ['?a', '*-a', []],
    ['a?*', 'a*?', ['a?', 'a?*?']],
  ])('of %j and %j is %j', (a, b, expected) => {
    expect(intersect(a, b)).toEqual(expected);
    expect(intersect(b, a)?.length).toBe(expected.length);
  });

  it('gives up on patterns that are made to have too many parts', () => {
    expect(intersect('*a*b*c*d*e*f*g*h*', '*1*2*3*4*5*6*7*8*')).toBeUndefined();
  });
});
