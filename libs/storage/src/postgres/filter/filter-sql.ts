import type { Filter, ProviderId, ResourceType } from '@palisade/domain';
import { sql } from 'kysely';
import { columnIsPresent, columnOf, compareColumn, isExact } from './columns.js';
import { ALWAYS, NEVER, conjunction, disjunction, negation, type Condition } from './condition.js';
import { withoutValue, type LeafFilter } from './element-test.js';
import { groupsCondition, membersCondition } from './memberships-sql.js';
import { accessors, jsonPathPredicate } from './json-path.js';

export interface FilterScope {
  readonly provider: ProviderId;
  readonly type: ResourceType;
}

/**
 * A filter as a condition on `resources r`, whose rows are those of the scope: it holds for a row exactly when
 * `matches` of `@palisade/scim` holds for the row's search document. All that a caller supplies becomes a parameter.
 */
export function filterCondition(filter: Filter, scope: FilterScope): Condition {
  switch (filter.kind) {
    case 'and':
      return conjunction(filter.operands.map((operand) => filterCondition(operand, scope)));
    case 'or':
      return disjunction(filter.operands.map((operand) => filterCondition(operand, scope)));
    case 'not':
      return negation(filterCondition(filter.operand, scope));
    case 'compare':
    case 'present':
    case 'element':
      return leafCondition(filter, scope);
    default:
      return filter satisfies never;
  }
}

function leafCondition(filter: LeafFilter, scope: FilterScope): Condition {
  switch (filter.attribute.path[0]) {
    case 'members':
      return scope.type === 'Group' ? membersCondition(filter) : withoutValue(filter);
    case 'groups':
      return scope.type === 'User' ? groupsCondition(filter, scope.provider) : withoutValue(filter);
    case 'meta':
      return metaCondition(filter, scope);
    default:
      return columnCondition(filter) ?? searchCondition(filter, scope);
  }
}

/** A condition on a column that has the attribute, so that a B-tree index can serve it. */
function columnCondition(filter: LeafFilter): Condition | undefined {
  const column = columnOf(filter.attribute);
  if (!column) {
    return undefined;
  }
  switch (filter.kind) {
    case 'compare':
      return isExact(column, filter.operator, filter.value)
        ? compareColumn(column, filter.operator, filter.value)
        : undefined;
    case 'present':
      return columnIsPresent(column);
    case 'element':
      return NEVER;
    default:
      return filter satisfies never;
  }
}

function searchCondition(filter: Filter, { provider }: FilterScope): Condition {
  return sql`r.search @? ${`$${accessors([provider])} ? (${jsonPathPredicate(filter)})`}::jsonpath`;
}

/** Every resource has all of `meta`, and only one of it: `meta[created gt "…"]` is `meta.created gt "…"`. */
function metaCondition(filter: LeafFilter, scope: FilterScope): Condition {
  if (filter.kind === 'element') {
    return filterCondition(insideMeta(filter.filter), scope);
  }
  return filter.attribute.path.length === 1 ? ALWAYS : (columnCondition(filter) ?? withoutValue(filter));
}

function insideMeta(filter: Filter): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, operands: filter.operands.map(insideMeta) };
    case 'not':
      return { ...filter, operand: insideMeta(filter.operand) };
    case 'compare':
    case 'present':
    case 'element':
      return { ...filter, attribute: { ...filter.attribute, path: ['meta', ...filter.attribute.path] } };
    default:
      return filter satisfies never;
  }
}
