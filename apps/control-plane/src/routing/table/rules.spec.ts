import { describe, expect, it } from '@jest/globals';
import { parseTenantId } from '@palisade/domain';
import type { RevenueCondition, RoutingRule } from '../../config/control-plane-settings.js';
import { conditionsOf, findRule } from './rules.js';

const ACTION: RoutingRule['action'] = { deployment: 'multi_tenant' };
const rule = (match: RoutingRule['match']): RoutingRule => ({ match, action: ACTION });
const ACME = parseTenantId('acme');

describe(findRule.name, () => {
  it.each<[RevenueCondition['operator'], readonly [below: boolean, same: boolean, above: boolean]]>([
    ['>', [false, false, true]],
    ['>=', [false, true, true]],
    ['<', [true, false, false]],
    ['<=', [true, true, false]],
    ['==', [false, true, false]],
  ])('compares a revenue of 99, 100 and 101 with "%s 100"', (operator, expected) => {
    const rules = [rule({ annualRevenue: { operator, amount: 100 } })];
    const found = [99, 100, 101].map((annualRevenue) => findRule(rules, { annualRevenue }) === 0);
    expect(found).toEqual(expected);
  });

  it('takes the first of several that hold', () => {
    const rules = [rule({ tier: 'premium' }), rule({ tier: 'standard' }), rule({ tier: 'standard' }), rule({})];
    expect(findRule(rules, { tier: 'standard' })).toBe(1);
  });

  it('wants all conditions of a rule to hold', () => {
    const rules = [rule({ tier: 'premium', annualRevenue: { operator: '>', amount: 10 }, contracts: [ACME] })];
    const facts = { id: ACME, tier: 'premium', annualRevenue: 11 } as const;
    expect(findRule(rules, facts)).toBe(0);
    expect(findRule(rules, { ...facts, tier: 'standard' })).toBeUndefined();
    expect(findRule(rules, { ...facts, annualRevenue: 10 })).toBeUndefined();
    expect(findRule(rules, { ...facts, id: parseTenantId('other') })).toBeUndefined();
  });

  it.each([
    [{ tier: 'premium' }],
    [{ annualRevenue: { operator: '<', amount: 1 } }],
    [{ contracts: [ACME] }],
    [{ contracts: [] }],
  ] as const)('finds no rule %j for a tenant of whom nothing is known', (match) => {
    expect(findRule([rule(match)], {})).toBeUndefined();
  });

  it('finds a rule without conditions for all', () => {
    expect(findRule([rule({})], {})).toBe(0);
  });
});

describe(conditionsOf.name, () => {
  it('says of each condition what was found', () => {
    const { match } = rule({ tier: 'premium', annualRevenue: { operator: '>=', amount: 10 }, contracts: [ACME] });
    expect(conditionsOf({ match, action: ACTION }, { id: ACME, tier: 'standard', annualRevenue: 10 })).toEqual([
      { key: 'tier', holds: false, finding: 'is standard, not premium' },
      { key: 'annual_revenue', holds: true, finding: 'is 10, which is >= 10' },
      { key: 'contracts', holds: true, finding: 'name "acme"' },
    ]);
  });
});
