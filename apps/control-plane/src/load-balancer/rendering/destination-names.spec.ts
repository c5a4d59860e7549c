import { describe, expect, it } from '@jest/globals';
import { parsePoolName } from '@palisade/domain';
import type { WeightedSplit } from '../../routing/table/desired-state.js';
import { RejectedStateError } from '../load-balancer.errors.js';
import { DestinationNames } from './destination-names.js';

const split = (weights: Readonly<Record<string, number>>): WeightedSplit => ({
  parts: Object.entries(weights).map(([pool, weight]) => ({ pool: parsePoolName(pool), weight })),
});

describe(DestinationNames.name, () => {
  it('calls a pool by its name', () => {
    expect(new DestinationNames().nameOf(parsePoolName('standard'))).toBe('standard');
  });

  it('calls equal splits alike, and never like a pool', () => {
    const names = new DestinationNames();
    const name = names.nameOf(split({ a: 1, b: 2 }));
    expect(name).toMatch(/^_[0-9a-f]{16}$/);
    expect(names.nameOf(split({ a: 1, b: 2 }))).toBe(name);
    expect(names.nameOf(split({ a: 2, b: 1 }))).not.toBe(name);
    expect(names.splits()).toHaveLength(2);
  });

  it('has splits in order of name, whatever came first', () => {
    const [one, other] = [new DestinationNames(), new DestinationNames()];
    [split({ a: 1 }), split({ b: 1 })].forEach((each) => one.nameOf(each));
    [split({ b: 1 }), split({ a: 1 })].forEach((each) => other.nameOf(each));
    expect(one.splits()).toEqual(other.splits());
  });

  it.each([
    ['an invalid pool name', () => 'a b' as never],
    ['a split without parts', () => ({ parts: [] })],
    ['a weight of 0', () => split({ a: 0 })],
    ['a weight that is not whole', () => split({ a: 0.5 })],
    ['an invalid pool within a split', () => ({ parts: [{ pool: 'a\nb' as never, weight: 1 }] })],
  ])('rejects %s', (_, destination) => {
    expect(() => new DestinationNames().nameOf(destination())).toThrow(RejectedStateError);
  });

  it('rejects more splits than requests can be compared with', () => {
    const names = new DestinationNames();
    const all = () => Array.from({ length: 1001 }, (_, weight) => names.nameOf(split({ a: weight + 1 })));
    expect(all).toThrow(RejectedStateError);
  });
});
