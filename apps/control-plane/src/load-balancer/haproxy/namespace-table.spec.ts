import { describe, expect, it } from '@jest/globals';
import { parseNamespacePattern, parsePoolName } from '@palisade/domain';
import * as fc from 'fast-check';
import { DestinationNames } from '../rendering/destination-names.js';
import { contestedPrefixes, orderWildcards } from '../rendering/wildcard-patterns.js';
import type { ResolvedState } from '../rendering/resolved-state.js';
import { NamespaceTable } from './namespace-table.js';

const POOLS = ['standard', 'premium'].map(parsePoolName);
const pool = fc.constantFrom(...POOLS);
const entries = (minLength: number) =>
  fc.array(fc.tuple(fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength: 3 }), pool), { maxLength: 8 });
const states = fc.record({
  exact: entries(1).map((all) => new Map(all)),
  prefixes: entries(0).map((all) => new Map(all)),
  wildcards: fc
    .subarray(['*a', 'a*b', 'ab?'])
    .map((all) => new Map(all.map((each) => [parseNamespacePattern(each), POOLS[0]]))),
  fallback: fc.option(pool, { nil: undefined }),
});

function sourceOf(text: Partial<ResolvedState>) {
  const state: ResolvedState = {
    revision: 1,
    pools: [],
    exact: new Map(),
    prefixes: new Map(),
    wildcards: new Map(),
    unresolved: [],
    ...text,
  };
  const contested = contestedPrefixes(orderWildcards(state.wildcards));
  return { state, contested, names: new DestinationNames() };
}
const tableOf = (text: Partial<ResolvedState>, previous?: NamespaceTable) =>
  NamespaceTable.of(sourceOf(text), previous);
const entriesOf = (table: NamespaceTable) => new Map([...table.keys()].map((key) => [key, table.valueOf(key)]));

describe(NamespaceTable.name, () => {
  it('has names before prefixes, and the fallback under the shortest key', async () => {
    const table = await tableOf({
      exact: new Map([['acme', parsePoolName('standard')]]),
      prefixes: new Map([['acme', parsePoolName('premium')]]),
      fallback: parsePoolName('standard'),
    });
    expect(table.pieces().join('')).toBe('/ standard/64\n/acme premium/64\n/acme. standard/64\n');
  });

  it('tells of prefixes that wildcards may come before how long they are', async () => {
    const table = await tableOf({
      prefixes: new Map([
        ['ab', parsePoolName('standard')],
        ['ac', parsePoolName('standard')],
        ['', parsePoolName('standard')],
      ]),
      wildcards: new Map([[parseNamespacePattern('abc*d'), parsePoolName('premium')]]),
    });
    expect(table.pieces().join('')).toBe('/ standard/0\n/ab standard/2\n/ac standard/64\n');
  });

  it('prefers the empty prefix to the fallback', async () => {
    const [standard, premium] = ['standard', 'premium'].map(parsePoolName);
    const table = await tableOf({ prefixes: new Map([['', premium ?? standard]]) as never, fallback: standard });
    expect(table.pieces().join('')).toBe('/ premium/64\n');
    expect(table.size).toBe(1);
  });

  it('is the same whether made from nothing or from an earlier one', async () => {
    await fc.assert(
      fc.asyncProperty(states, states, async (first, second) => {
        const before = await tableOf(first as never);
        const after = await tableOf(second as never, before);
        const fresh = await tableOf(second as never);
        expect(after.pieces().join('')).toBe(fresh.pieces().join(''));
        expect(after.size).toBe([...fresh.keys()].length);
      }),
    );
  });

  it('knows what turns one into the other', async () => {
    await fc.assert(
      fc.asyncProperty(states, states, fc.boolean(), async (first, second, isDerived) => {
        const before = await tableOf(first as never);
        const after = await tableOf(second as never, isDerived ? before : undefined);
        const { added, changed, removed } = await after.changesSince(before);
        const result = entriesOf(before);
        added.forEach((key) => expect(result.has(key)).toBe(false));
        [...changed, ...removed].forEach((key) => expect(result.has(key)).toBe(true));
        [...added, ...changed].forEach((key) => result.set(key, after.valueOf(key)));
        removed.forEach((key) => result.delete(key));
        expect(new Map([...result].sort())).toEqual(entriesOf(after));
      }),
    );
  });

  it('names no change when only the objects of destinations are others', async () => {
    const split = () => ({ parts: [{ pool: parsePoolName('standard'), weight: 1 }] });
    const before = await tableOf({ exact: new Map([['acme', split()]]) });
    const after = await tableOf({ exact: new Map([['acme', split()]]) }, before);
    expect(await after.changesSince(before)).toEqual({ added: [], changed: [], removed: [] });
  });

  it('knows all splits, also those that were there before', async () => {
    const split = { parts: [{ pool: parsePoolName('standard'), weight: 1 }] };
    const before = await tableOf({ exact: new Map([['acme', split]]) });
    const source = sourceOf({ exact: new Map([['acme', split]]) });
    await NamespaceTable.of(source, before);
    expect(source.names.splits()).toHaveLength(1);
  });
});
