import type { RoutingRule } from '../control-plane-settings.js';
import type { RevenueCondition } from '../schema/routing.js';

type Match = RoutingRule['match'];

/** Whether every tenant that `later` matches is matched by `earlier` as well. May miss cases, never claims a wrong one. */
export function coversMatch(earlier: Match, later: Match): boolean {
  return (
    (earlier.tier === undefined || earlier.tier === later.tier) &&
    coversRevenue(earlier.annualRevenue, later.annualRevenue) &&
    coversContracts(earlier.contracts, later.contracts)
  );
}

/** Why no tenant at all can match. */
export function findImpossible({ annualRevenue: condition, contracts }: Match): string | undefined {
  if (condition?.operator === '<' && condition.amount === 0) {
    return 'no revenue is below 0';
  }
  return contracts?.length === 0 ? 'contracts names no tenant' : undefined;
}

function coversContracts(earlier: readonly string[] | undefined, later: readonly string[] | undefined): boolean {
  if (earlier === undefined || later === undefined) {
    return earlier === undefined;
  }
  const known = new Set(earlier);
  return later.every((tenant) => known.has(tenant));
}

/** A tenant whose revenue is not known meets no condition. */
function coversRevenue(earlier: RevenueCondition | undefined, later: RevenueCondition | undefined): boolean {
  if (earlier === undefined || later === undefined) {
    return earlier === undefined;
  }
  const [low, high] = rangeOf(earlier);
  const [lowest, highest] = rangeOf(later);
  return !startsAfter(low, lowest) && !endsBefore(high, highest);
}

interface Bound {
  readonly amount: number;
  readonly isIncluded: boolean;
}

const ZERO: Bound = { amount: 0, isIncluded: true };
const UNLIMITED: Bound = { amount: Infinity, isIncluded: true };

function rangeOf({ operator, amount }: RevenueCondition): readonly [Bound, Bound] {
  const bound: Bound = { amount, isIncluded: operator === '>=' || operator === '<=' || operator === '==' };
  switch (operator) {
    case '>':
    case '>=':
      return [bound, UNLIMITED];
    case '<':
    case '<=':
      return [ZERO, bound];
    case '==':
      return [bound, bound];
    default:
      return operator satisfies never;
  }
}

function startsAfter(bound: Bound, other: Bound): boolean {
  return bound.amount > other.amount || (bound.amount === other.amount && !bound.isIncluded && other.isIncluded);
}

function endsBefore(bound: Bound, other: Bound): boolean {
  return bound.amount < other.amount || (bound.amount === other.amount && !bound.isIncluded && other.isIncluded);
}
