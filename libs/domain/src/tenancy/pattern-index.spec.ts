import { describe, expect, it } from '@jest/globals';
import {
  comparePatterns,
  matchesNamespace,
  parseNamespacePattern,
  type NamespacePattern,
} from './namespace-pattern.js';
import * as fc from 'fast-check';
import { PatternIndex } from './pattern-index.js';

const patterns = fc
  .stringMatching(/^[ab*?]([-ab*?]{0,4}[ab*?])?$/)
  .map((text): NamespacePattern => parseNamespacePattern(text));
const namespaces = fc.stringMatching(/^[ab]([-ab]{0,5}[ab])?$/);

const changes = fc.array(fc.record({ pattern: patterns, isAdded: fc.boolean(), value: fc.nat(9) }), { maxLength: 40 });

function indexOf(...texts: readonly string[]): PatternIndex<{ of: string }> {
  const index = new PatternIndex<{ of: string }>();
  texts.forEach((text) => index.set(parseNamespacePattern(text), { of: text }));
  return index;
}

describe(PatternIndex.name, () => {
  it('finds what sorting all patterns that match finds, whatever was added and removed before', () => {
    fc.assert(
      fc.property(changes, fc.array(namespaces, { minLength: 5, maxLength: 5 }), (steps, asked) => {
        const index = new PatternIndex<{ value: number }>();
        const model = new Map<NamespacePattern, { value: number }>();
        for (const { pattern, isAdded, value } of steps) {
          if (isAdded) {
            index.set(pattern, { value });
            model.set(pattern, { value });
          } else {
            index.delete(pattern);
            model.delete(pattern);
          }
          expect(index.get(pattern)).toEqual(model.get(pattern));
        }
        for (const namespace of asked) {
          const matching = [...model.keys()].filter((each) => matchesNamespace(each, namespace)).sort(comparePatterns);
          expect(index.matches(namespace).map(({ pattern }) => pattern)).toEqual(matching);
          expect(index.find(namespace)).toEqual(matching[0] && model.get(matching[0]));
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['acme', 'acme'],
    ['acme-eu', 'acme-*'],
    ['acme-eu-1', 'acme-eu-*'],
    ['acme-x', 'acme-?'],
    ['other-us', '*-us'],
    ['x', '*'],
  ])('gives %s to %s', (namespace, pattern) => {
    const index = indexOf('*', '*-us', 'acme', 'acme-*', 'acme-?', 'acme-eu-*');
    expect(index.find(namespace)?.of).toBe(pattern);
  });

  it('finds nothing where nothing matches', () => {
    expect(indexOf('acme', 'acme-*').find('acm')).toBeUndefined();
  });

  it.each(['__proto__', 'constructor', 'toString'])('takes %s for a name like any other', (namespace) => {
    expect(indexOf('acme').find(namespace)).toBeUndefined();
  });
});
