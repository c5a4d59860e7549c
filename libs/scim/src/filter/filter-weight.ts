import type { AttributeReference, ComparisonOperator, Filter } from '@palisade/domain';
import { badRequest } from '../scim.errors.js';

/** What the conditions of one filter may weigh together. */
export const MAX_FILTER_WEIGHT = 1000;

/** An index answers it. */
const INDEXED_WEIGHT = 1;
/** Reads the values of every resource. */
const SCAN_WEIGHT = 10;
/** Looks into each of them as well. */
const SUBSTRING_WEIGHT = 25;
/** Reads every membership, and the resource at its other end. */
const MEMBERSHIP_WEIGHT = 100;

/** What stores add to resources from their memberships. */
const MEMBERSHIP_ATTRIBUTES: ReadonlySet<string> = new Set(['members', 'groups']);
const SUBSTRING: readonly ComparisonOperator[] = ['co', 'sw', 'ew'];

/**
 * Rejects a filter whose conditions together would keep a store busy for too long.
 *
 * @throws {ScimError} 400 tooMany
 */
export function checkWeight(filter: Filter): void {
  const weight = weigh(filter, { isScan: false, isMembership: false });
  if (weight > MAX_FILTER_WEIGHT) {
    // RFC 7644 table 9: "many more results than the server is willing to calculate or process". ADR-0004.
    throw badRequest(
      'tooMany',
      `filter: expected conditions that weigh at most ${MAX_FILTER_WEIGHT} together, found ${weight} ` +
        `(eq weighs ${INDEXED_WEIGHT} where an index answers it; ${SUBSTRING.join(', ')} ${SUBSTRING_WEIGHT}; members and ` +
        `groups, but for eq of their value, ${MEMBERSHIP_WEIGHT}; any other ${SCAN_WEIGHT})`,
    );
  }
}

type Condition = Extract<Filter, { readonly kind: 'compare' | 'present' }>;

interface Surroundings {
  /** Every resource is read anyhow, and so no index helps: inside `not`, or beside what no index answers in an `or`. */
  readonly isScan: boolean;
  /** Inside a value path on memberships. */
  readonly isMembership: boolean;
}

/** Recursion is bounded by the depth that the parser allows. */
function weigh(filter: Filter, around: Surroundings): number {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const isScan = around.isScan || (filter.kind === 'or' && !isIndexed(filter));
      return filter.operands.reduce((sum, operand) => sum + weigh(operand, { ...around, isScan }), 0);
    }
    case 'not':
      return weigh(filter.operand, { ...around, isScan: true });
    case 'element':
      return weigh(filter.filter, { ...around, isMembership: isMembership(filter.attribute) });
    case 'compare':
    case 'present':
      return weighCondition(filter, around);
    default:
      return filter satisfies never;
  }
}

function weighCondition(condition: Condition, around: Surroundings): number {
  const { attribute } = condition;
  const isEquality = isIndexed(condition);
  if ((around.isMembership || isMembership(attribute)) && !(isEquality && attribute.path.at(-1) === 'value')) {
    return MEMBERSHIP_WEIGHT;
  }
  if (isEquality && !around.isScan) {
    return INDEXED_WEIGHT;
  }
  return condition.kind === 'compare' && SUBSTRING.includes(condition.operator) ? SUBSTRING_WEIGHT : SCAN_WEIGHT;
}

/** Whether an index finds what may satisfy the filter. */
function isIndexed(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.operands.some(isIndexed);
    case 'or':
      return filter.operands.every(isIndexed);
    case 'element':
      return isIndexed(filter.filter);
    case 'compare':
      return filter.operator === 'eq';
    case 'not':
    case 'present':
      return false;
    default:
      return filter satisfies never;
  }
}

function isMembership({ path: [name] }: AttributeReference): boolean {
  return MEMBERSHIP_ATTRIBUTES.has(name);
}

/** How many comparisons and tests for presence a filter holds. Recursion is bounded by the depth that the parser allows. */
export function countConditions(filter: Filter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.reduce((sum, operand) => sum + countConditions(operand), 0);
    case 'not':
      return countConditions(filter.operand);
    case 'element':
      return countConditions(filter.filter);
    case 'compare':
    case 'present':
      return 1;
    default:
      return filter satisfies never;
  }
}
