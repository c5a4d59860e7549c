import * as fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { matchesNamespace, parseNamespacePattern, parsePoolName, type NamespacePattern } from '@palisade/domain';
import { RejectedStateError } from '../load-balancer.errors.js';
import { contestedPrefixes, orderWildcards, toPerlRegex } from './wildcard-patterns.js';

const POOL = parsePoolName('standard');
const patterns = fc
  .string({ unit: fc.constantFrom('a', 'b', '-', '*', '?'), minLength: 1, maxLength: 8 })
  .filter((text) => /^[ab*?]$|^[ab*?].*[ab*?]$/.test(text))
  .map(parseNamespacePattern);
const namespaces = fc
  .string({ unit: fc.constantFrom('a', 'b', '-'), minLength: 1, maxLength: 10 })
  .filter((text) => /^[ab]$|^[ab].*[ab]$/.test(text));
const ordered = (...texts: string[]) =>
  orderWildcards(new Map(texts.map((text) => [parseNamespacePattern(text), POOL])));

/** JavaScript has no atomic groups; what is looked ahead for and then repeated is one. */
function toJavaScript(regex: string): RegExp {
  let groups = 0;
  return new RegExp(regex.replaceAll(/\(\?>([^)]*)\)/g, (_, inner: string) => `(?=(${inner}))\\${(groups += 1)}`));
}

describe(toPerlRegex.name, () => {
  it('matches what the pattern does', () => {
    fc.assert(
      fc.property(patterns, namespaces, (pattern, namespace) => {
        expect(toJavaScript(toPerlRegex(pattern)).test(namespace)).toBe(matchesNamespace(pattern, namespace));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['acme-?', '^acme-.$'],
    ['a*', '^a'],
    ['*-eu', '^.*-eu$'],
    ['a*b?c*d', '^a(?>.*?b.c).*d$'],
    ['*a*', '^(?>.*?a)'],
  ])('makes %s to %s', (pattern, regex) => {
    expect(toPerlRegex(parseNamespacePattern(pattern))).toBe(regex);
  });

  it('rejects what is no pattern', () => {
    expect(() => toPerlRegex('a(b*' as NamespacePattern)).toThrow(RejectedStateError);
  });
});

describe(orderWildcards.name, () => {
  it('has longer literal prefixes first, then more literal characters', () => {
    expect(ordered('*b', 'a?', 'a*bc', 'ab*c?').map(({ pattern }) => pattern)).toEqual(['ab*c?', 'a*bc', 'a?', '*b']);
  });

  it('does not depend on the order in which they come', () => {
    fc.assert(
      fc.property(fc.uniqueArray(patterns, { maxLength: 6 }), (texts) => {
        expect(ordered(...texts)).toEqual(ordered(...texts.toReversed()));
      }),
    );
  });
});

describe(contestedPrefixes.name, () => {
  it('are all beginnings of literal prefixes', () => {
    expect([...contestedPrefixes(ordered('ab*c', 'x?y'))].sort()).toEqual(['', 'a', 'ab', 'x']);
  });

  it('are none without wildcards', () => {
    expect(contestedPrefixes([]).size).toBe(0);
  });
});
