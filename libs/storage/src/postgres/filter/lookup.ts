import type { Filter } from '@palisade/domain';

/**
 * Whether a filter requires values that an index finds: then its matches are found first and sorted afterwards. The planner
 * cannot tell how few they are, and would walk all resources in order until it has a page.
 */
export function isLookup(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.operands.some(isLookup);
    case 'or':
      return filter.operands.length > 0 && filter.operands.every(isLookup);
    case 'compare':
      return filter.operator === 'eq' && typeof filter.value === 'string' && filter.attribute.path[0] !== 'meta';
    case 'element':
      return isLookup(filter.filter);
    case 'not':
    case 'present':
      return false;
    default:
      return filter satisfies never;
  }
}
