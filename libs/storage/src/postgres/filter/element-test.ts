import type { AttributeReference, Filter } from '@palisade/domain';
import { sql } from 'kysely';
import {
  ALWAYS,
  NEVER,
  compareText,
  conjunction,
  disjunction,
  negation,
  type Condition,
  type Expression,
} from './condition.js';

/** A filter that is not a combination of others. */
export type LeafFilter = Extract<Filter, { readonly attribute: AttributeReference }>;

/** The sub-attributes of `members` and `groups` as SQL text expressions with collation "C"; null is no value. */
export type ElementFields = Readonly<Record<ElementField, Expression>>;
export type ElementField = 'value' | 'type' | 'display';

/** What one and the same element of a list must satisfy. */
export interface ElementTest {
  readonly uses: (field: ElementField) => boolean;
  readonly condition: (fields: ElementFields) => Condition;
}

/**
 * A filter on a list that is kept as rows: what it asks for, in terms of whether any row passes a test.
 *
 * @param any the condition that at least one element passes the test
 */
export function listCondition(filter: LeafFilter, any: (test: ElementTest) => Condition): Condition {
  const [, name] = filter.attribute.path;
  switch (filter.kind) {
    case 'compare': {
      const { operator, value } = filter;
      const isSatisfied = (field: Expression): Condition => compareText(field, operator, value);
      if (operator !== 'ne') {
        return any(fieldTest(name, isSatisfied));
      }
      // An element without a value says nothing of the list, but a list of which no element has one has none.
      const differs = fieldTest(name, (field) => conjunction([hasValue(field), isSatisfied(field)]));
      return disjunction([any(differs), negation(any(fieldTest(name, hasValue)))]);
    }
    case 'present':
      // An element is never empty: it has at least a value.
      return any(fieldTest(name ?? 'value', (field) => sql`${field} <> ''`));
    case 'element':
      return any({
        uses: (field) => mentions(filter.filter, field),
        condition: (fields) => elementCondition(filter.filter, fields),
      });
    default:
      return filter satisfies never;
  }
}

/** A filter whose references start at the element, as a condition on the element's row. */
export function elementCondition(filter: Filter, fields: ElementFields): Condition {
  switch (filter.kind) {
    case 'and':
      return conjunction(filter.operands.map((operand) => elementCondition(operand, fields)));
    case 'or':
      return disjunction(filter.operands.map((operand) => elementCondition(operand, fields)));
    case 'not':
      return negation(elementCondition(filter.operand, fields));
    case 'compare': {
      const [name] = filter.attribute.path;
      return isField(name) ? compareText(fields[name], filter.operator, filter.value) : withoutValue(filter);
    }
    case 'present': {
      const [name] = filter.attribute.path;
      return isField(name) ? sql`${fields[name]} <> ''` : NEVER;
    }
    case 'element':
      return NEVER;
    default:
      return filter satisfies never;
  }
}

/** What a filter says of an attribute that has no value. */
export function withoutValue(filter: LeafFilter): Condition {
  return filter.kind === 'compare' && filter.operator === 'ne' ? ALWAYS : NEVER;
}

/** Whether a filter on elements looks at the field. */
export function mentions(filter: Filter, field: ElementField): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.some((operand) => mentions(operand, field));
    case 'not':
      return mentions(filter.operand, field);
    case 'compare':
    case 'present':
    case 'element':
      return filter.attribute.path[0] === field;
    default:
      return filter satisfies never;
  }
}

function hasValue(field: Expression): Condition {
  return sql`${field} is not null`;
}

function fieldTest(name: string | undefined, condition: (field: Expression) => Condition): ElementTest {
  return isField(name)
    ? { uses: (field) => field === name, condition: (fields) => condition(fields[name]) }
    : { uses: () => false, condition: () => NEVER };
}

export function isField(name: string | undefined): name is ElementField {
  return name === 'value' || name === 'type' || name === 'display';
}
