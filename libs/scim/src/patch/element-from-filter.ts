import { isDeepStrictEqual } from 'node:util';
import type { AttributeDefinition, JsonObject } from '@palisade/domain';
import type { ComparisonExpression, FilterExpression } from '../filter/filter-expression.js';
import { readValue } from '../resource/read-value.js';
import { findSubAttribute } from '../schema/resource-schema.js';
import { changeAt, ownProperty } from './change-at.js';

/**
 * The element of a complex attribute that says what a filter asks for and no more: `type eq "work"` gives
 * `{type: "work"}`. Undefined when the filter is anything but `eq` conditions joined by `and`, or contradicts itself.
 *
 * @throws {ScimError} 400 invalidValue when a condition's value cannot be one of the attribute
 */
export function elementFromFilter(
  expression: FilterExpression,
  attribute: AttributeDefinition,
): JsonObject | undefined {
  const { subAttributes = [] } = attribute;
  let element: JsonObject = {};
  for (const condition of conjuncts(expression)) {
    const sub = condition.kind === 'compare' ? findSubAttribute(attribute, condition.path) : undefined;
    if (
      condition.kind !== 'compare' ||
      condition.operator !== 'eq' ||
      sub === undefined ||
      sub.mutability === 'readOnly'
    ) {
      return undefined;
    }
    const value = readValue(sub, literalFor(sub, condition), `${attribute.name}.${sub.name}`);
    const before = ownProperty(element, sub.name);
    if (before !== undefined && !isDeepStrictEqual(before, value)) {
      return undefined;
    }
    element = changeAt(element, subAttributes, [sub], () => value);
  }
  return element;
}

/** Recursion is bounded by the depth that the parser allows. */
function conjuncts(expression: FilterExpression): FilterExpression[] {
  return expression.kind === 'and' ? expression.operands.flatMap(conjuncts) : [expression];
}

/** Without quotation marks `0042` may mean a text. */
function literalFor({ type }: AttributeDefinition, { source, value }: ComparisonExpression): unknown {
  return type === 'boolean' || type === 'integer' || type === 'decimal' ? value : (source ?? value);
}
