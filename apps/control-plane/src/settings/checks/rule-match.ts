import type { RevenueCondition } from '../../config/control-plane-settings.js';
import type { RuleMatchSection } from '../dto/routing.dto.js';
import { REVENUE } from '../kinds/conditions.js';
import { readOptional } from '../kinds/kind.js';

/** Whether every tenant that `later` matches is matched by `earlier` as well. May miss cases, never claims a wrong one. */
export function coversMatch(earlier: RuleMatchSection, later: RuleMatchSection): boolean {
  return (
    (earlier.tier === undefined || earlier.tier === later.tier) &&
    coversRevenue(readOptional(REVENUE, earlier.annual_revenue), readOptional(REVENUE, later.annual_revenue)) &&
    coversContracts(earlier.contracts, later.contracts)
  );
}

/** Why no tenant at all can match. */
export function findImpossible({ annual_revenue: revenue, contracts }: RuleMatchSection): string | undefined {
  const condition = readOptional(REVENUE, revenue);
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
