import { describe, expect, it } from '@jest/globals';
import { parseTenantId, TIERS } from '@palisade/domain';
import * as fc from 'fast-check';
import type { RoutingRule } from '../control-plane-settings.js';
import { REVENUE, type RevenueCondition } from '../schema/routing.js';
import { coversMatch, findImpossible } from './rule-match.js';
import { runs } from '../../../../../test/support/effort.js';

type Match = RoutingRule['match'];

const revenueOf = (text: string): RevenueCondition => REVENUE.parse(text);

interface Example {
  readonly id: string;
  readonly tier?: string;
  readonly revenue?: number;
}

function holds({ operator, amount }: RevenueCondition, revenue: number): boolean {
  const results = {
    '>': revenue > amount,
    '>=': revenue >= amount,
    '<': revenue < amount,
    '<=': revenue <= amount,
    '==': revenue === amount,
  };
  return results[operator];
}

function matches({ tier, annualRevenue: condition, contracts }: Match, tenant: Example): boolean {
  return (
    (tier === undefined || tier === tenant.tier) &&
    (condition === undefined || (tenant.revenue !== undefined && holds(condition, tenant.revenue))) &&
    (contracts === undefined || contracts.some((each) => each === tenant.id))
  );
}

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const MATCH: fc.Arbitrary<Match> = fc.record({
  tier: optional(fc.constantFrom(...TIERS)),
  annualRevenue: optional(
    fc
      .tuple(fc.constantFrom('>', '>=', '<', '<=', '=='), fc.nat(3))
      .map(([operator, amount]) => revenueOf(`${operator}${amount}`)),
  ),
  contracts: optional(fc.uniqueArray(fc.constantFrom(...['a', 'b', 'c'].map(parseTenantId)))),
});
const TENANTS: readonly Example[] = ['a', 'b', 'c', 'other'].flatMap((id) =>
  [undefined, ...TIERS].flatMap((tier) =>
    [undefined, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5].map((revenue) => ({ id, tier, revenue })),
  ),
);

describe(coversMatch.name, () => {
  it('never says that a rule covers another one that matches more', () => {
    fc.assert(
      fc.property(MATCH, MATCH, (earlier, later) => {
        fc.pre(coversMatch(earlier, later));
        expect(TENANTS.filter((tenant) => matches(later, tenant) && !matches(earlier, tenant))).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });

  it('sees whenever a rule with a condition on revenue covers another one', () => {
    const conditions = ['>', '>=', '<', '<=', '=='].flatMap((operator) =>
      [0, 1, 2].map((amount) => `${operator}${amount}`),
    );
    const possible = conditions.filter((each) => findImpossible({ annualRevenue: revenueOf(each) }) === undefined);
    const missed = possible.flatMap((earlier) =>
      possible
        .filter((later) => !coversMatch({ annualRevenue: revenueOf(earlier) }, { annualRevenue: revenueOf(later) }))
        .filter((later) =>
          TENANTS.every(
            (each) =>
              !matches({ annualRevenue: revenueOf(later) }, each) ||
              matches({ annualRevenue: revenueOf(earlier) }, each),
          ),
        )
        .map((later) => `${earlier} covers ${later}`),
    );
    expect(missed).toEqual([]);
  });
});

describe(findImpossible.name, () => {
  it.each([
    [{ annualRevenue: revenueOf('<0') }, 'no revenue is below 0'],
    [{ contracts: [] }, 'contracts names no tenant'],
    [{ annualRevenue: revenueOf('<=0') }, undefined],
    [{}, undefined],
  ])('says of %j: %s', (match, reason) => {
    expect(findImpossible(match)).toBe(reason);
  });
});
