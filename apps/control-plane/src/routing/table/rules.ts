import type { TenantId, Tier } from '@palisade/domain';
import type { RevenueCondition, RoutingRule } from '../../config/control-plane-settings.js';

/** What rules ask about; a namespace that belongs to no tenant has none of it. */
export interface TenantFacts {
  readonly id?: TenantId;
  readonly tier?: Tier;
  readonly annualRevenue?: number;
}

/** One key of a rule's `match`, with what became of it. */
export interface Condition {
  readonly key: 'tier' | 'annual_revenue' | 'contracts';
  readonly holds: boolean;
  /** Goes on where the key, as words, leaves off: `is premium, not enterprise`. Names no other tenant. */
  readonly finding: string;
}

/** Position of the first rule all of whose conditions hold. */
export function findRule(rules: readonly RoutingRule[], facts: TenantFacts): number | undefined {
  const at = rules.findIndex((rule) => conditionsOf(rule, facts).every(({ holds }) => holds));
  return at === -1 ? undefined : at;
}

/** All that a rule demands; nothing holds for all. */
export function conditionsOf({ match }: RoutingRule, facts: TenantFacts): Condition[] {
  const { tier, annualRevenue, contracts } = match;
  return [
    ...(tier === undefined ? [] : [tierCondition(tier, facts)]),
    ...(annualRevenue === undefined ? [] : [revenueCondition(annualRevenue, facts)]),
    ...(contracts === undefined ? [] : [contractsCondition(contracts, facts)]),
  ];
}

function tierCondition(wanted: Tier, { tier }: TenantFacts): Condition {
  const holds = tier === wanted;
  const finding = tier === undefined ? `is not known, it must be ${wanted}` : `is ${tier}, not ${wanted}`;
  return { key: 'tier', holds, finding: holds ? `is ${wanted}` : finding };
}

function revenueCondition({ operator, amount }: RevenueCondition, { annualRevenue }: TenantFacts): Condition {
  const key = 'annual_revenue';
  if (annualRevenue === undefined) {
    return { key, holds: false, finding: `is not known, it must be ${operator} ${amount}` };
  }
  const holds = compare(annualRevenue, operator, amount);
  return { key, holds, finding: `is ${annualRevenue}, ${holds ? 'which is' : 'not'} ${operator} ${amount}` };
}

function contractsCondition(contracts: readonly TenantId[], { id }: TenantFacts): Condition {
  const holds = id !== undefined && contracts.includes(id);
  const who = id === undefined ? 'a namespace without a tenant' : `"${id}"`;
  return { key: 'contracts', holds, finding: `${holds ? 'name' : 'do not name'} ${who}` };
}

function compare(revenue: number, operator: RevenueCondition['operator'], amount: number): boolean {
  switch (operator) {
    case '>':
      return revenue > amount;
    case '>=':
      return revenue >= amount;
    case '<':
      return revenue < amount;
    case '<=':
      return revenue <= amount;
    case '==':
      return revenue === amount;
  }
}
