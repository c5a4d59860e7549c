import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { InvalidIdentifierError } from '../identifiers.js';
import {
  comparePatterns,
  literalPrefix,
  matchesNamespace,
  type NamespacePattern,
  parseNamespacePattern,
  patternShape,
  patternsOverlap,
} from './namespace-pattern.js';

/** Patterns and namespaces over few characters, so that they often meet. */
const patterns = fc
  .stringMatching(/^[ab*?]([-ab*?]{0,6}[ab*?])?$/)
  .map((text): NamespacePattern => parseNamespacePattern(text));
const namespaces = fc.stringMatching(/^[ab]([-ab]{0,6}[ab])?$/);

/** The definition of a glob, word for word; takes exponential time. */
function matchesByDefinition(pattern: string, text: string): boolean {
  const [token, rest] = [pattern[0], pattern.slice(1)];
  if (token === undefined) {
    return text === '';
  }
  if (token === '*') {
    return matchesByDefinition(rest, text) || (text !== '' && matchesByDefinition(pattern, text.slice(1)));
  }
  return text !== '' && (token === '?' || token === text[0]) && matchesByDefinition(rest, text.slice(1));
}

describe(parseNamespacePattern.name, () => {
  it.each(['acme', 'acme-*', '*', '?', 'a?c', '*-eu', 'a'.repeat(63)])('accepts %j', (text) => {
    expect(parseNamespacePattern(text)).toBe(text);
  });

  it('takes several stars in a row as one', () => {
    expect(parseNamespacePattern('a***b**')).toBe('a*b*');
  });

  it.each([
    ['', 'empty'],
    ['-a*', 'begins with a hyphen'],
    ['a-', 'ends with a hyphen'],
    ['A*', 'upper case'],
    ['a.b', 'a dot'],
    ['a/../b', 'a path'],
    ['a:b', 'a colon'],
    ['a>', 'a subject wildcard'],
    ['[ab]', 'a class'],
    ['{a,b}', 'alternatives'],
    ['a\n', 'a line feed'],
    ['a\r\nb', 'a header'],
    ['a\0b', 'NUL'],
    ['а*', 'a Cyrillic twin'],
    ['a'.repeat(64), 'too long'],
  ])('rejects %j (%s)', (text) => {
    expect(() => parseNamespacePattern(text)).toThrow(InvalidIdentifierError);
  });
});

describe(patternShape.name, () => {
  it.each([
    ['acme', 'exact'],
    ['acme-*', 'prefix'],
    ['*', 'prefix'],
    ['*-eu', 'wildcard'],
    ['a*c*', 'wildcard'],
    ['acme-?', 'wildcard'],
    ['acme?*', 'wildcard'],
  ] as const)('takes %j as %s', (text, shape) => {
    expect(patternShape(parseNamespacePattern(text))).toBe(shape);
  });
});

describe(literalPrefix.name, () => {
  it.each([
    ['acme', 'acme'],
    ['acme-*', 'acme-'],
    ['a?c*', 'a'],
    ['*-eu', ''],
  ])('of %j is %j', (text, prefix) => {
    expect(literalPrefix(parseNamespacePattern(text))).toBe(prefix);
  });
});

describe(matchesNamespace.name, () => {
  it('matches as the definition of a glob says', () => {
    fc.assert(
      fc.property(patterns, namespaces, (pattern, namespace) => {
        expect(matchesNamespace(pattern, namespace)).toBe(matchesByDefinition(pattern, namespace));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes no more steps than the product of the lengths where a backtracking matcher takes 2^31', () => {
    expect(matchesNamespace(parseNamespacePattern(`${'*a'.repeat(31)}b`), 'a'.repeat(63))).toBe(false);
  });
});

describe(comparePatterns.name, () => {
  it.each([
    ['acme', 'acme*', 'a name before any glob'],
    ['acme-eu*', 'acme-*', 'the longer literal prefix'],
    ['ac*', 'a*-eu-1', 'the longer literal prefix, however many other literals there are'],
    ['acme-*-eu', 'acme-*', 'the more literal characters after equal prefixes'],
    ['acme-?', 'acme-*', 'one character before any run of them'],
    ['acme-?*', 'acme-*', 'at least one character before any run of them'],
  ])('puts %j before %j: %s', (first, second) => {
    expect([second, first].map(parseNamespacePattern).toSorted(comparePatterns)).toEqual([first, second]);
  });

  it('puts a glob that is no plain prefix before the plain prefix of the same length', () => {
    fc.assert(
      fc.property(patterns, (pattern) => {
        fc.pre(patternShape(pattern) === 'wildcard');
        const plain = parseNamespacePattern(`${literalPrefix(pattern)}*`);
        expect(comparePatterns(pattern, plain)).toBeLessThan(0);
      }),
    );
  });

  it('is a total order', () => {
    fc.assert(
      fc.property(patterns, patterns, patterns, (a, b, c) => {
        expect(Math.sign(comparePatterns(a, b))).toBe(-Math.sign(comparePatterns(b, a)) + 0);
        expect(comparePatterns(a, b) === 0).toBe(a === b);
        expect([c, b, a].toSorted(comparePatterns)).toEqual([a, b, c].toSorted(comparePatterns));
      }),
    );
  });
});

/** All namespaces of up to seven characters over "a", "b" and the hyphen: more than the smallPatterns below can tell apart. */
const NAMESPACES = words(7).filter((word) => !word.startsWith('-') && !word.endsWith('-'));
/** Up to four characters: whatever two of them have in common, they have a namespace of up to seven in common. */
const smallPatterns = fc
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
      fc.property(smallPatterns, smallPatterns, (a, b) => {
        const expected = NAMESPACES.some((each) => matchesNamespace(a, each) && matchesNamespace(b, each));
        expect(patternsOverlap(a, b)).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it('does not depend on the order of the two', () => {
    fc.assert(fc.property(smallPatterns, smallPatterns, (a, b) => patternsOverlap(a, b) === patternsOverlap(b, a)));
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

  it('takes smallPatterns that make a backtracking search explode', () => {
    expect(overlap(`${'*a'.repeat(31)}`, `${'*b'.repeat(30)}c`)).toBe(false);
  });
});
