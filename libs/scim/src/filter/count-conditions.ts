import type { Filter } from '@palisade/domain';

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
