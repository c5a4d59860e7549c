import {
  type AttributeDefinition,
  isObject,
  type MembershipChange,
  parseResourceId,
  type ResourceId,
} from '@palisade/domain';
import { bindElementFilter } from '../filter/bind-filter.js';
import type { FilterExpression } from '../filter/filter-expression.js';
import { readMembers } from '../resource/read-members.js';
import { findSubAttribute } from '../schema/resource-schema.js';
import { badRequest } from '../scim.errors.js';
import { isList } from '../values/document-values.js';
import type { PatchOp } from './patch-operation.js';
import type { PatchTarget } from './patch-target.js';

/**
 * What an operation on `members` does to a group. The members that there are need not be known for it, so it costs the
 * same however many they are.
 *
 * @param value undefined when the operation has none
 * @returns undefined when the operation changes nothing whoever the members are
 * @throws {ScimError} 400 invalidValue when a member is no full identifier, 400 mutability for a change of a member itself
 */
export function readMembership(
  op: PatchOp,
  { attribute, selection, subAttribute }: PatchTarget,
  value: unknown,
): MembershipChange | undefined {
  if (subAttribute !== undefined || (selection !== undefined && op !== 'remove')) {
    // RFC 7643 §4.2: "values MAY be added or removed, sub-attributes of members are "immutable"".
    throw badRequest('mutability', 'members: expected members to be added or removed, they cannot be changed');
  }
  if (selection !== undefined) {
    return removeSelected(selection.expression, attribute);
  }
  // RFC 7644 §3.5.2.2: without a filter all values are removed. Entra ID names those it means in `value`, and then a list
  // without any names nobody. ADR-0007.
  if (op === 'remove' && (value === undefined || value === null)) {
    return { kind: 'replace', ids: [] };
  }
  const ids = readIds(attribute, op === 'remove' ? withoutForeignIds(value) : value);
  return ids.length === 0 && op !== 'replace' ? undefined : { kind: op, ids };
}

/** Who has an id that is no identifier of ours is no member, and removing nobody is no error. ADR-0007. */
function withoutForeignIds(value: unknown): readonly unknown[] {
  const elements = isList(value) ? value : [value];
  return elements.filter((element) => {
    const id = isObject(element) ? element.value : element;
    return typeof id !== 'string' || isResourceId(id);
  });
}

/** Identity providers also give a lone member instead of a list, and a bare id instead of an object. */
function readIds(attribute: AttributeDefinition, value: unknown): ResourceId[] {
  const elements = isList(value) ? value : [value ?? []].flat();
  const members = elements.map((element) => (typeof element === 'string' ? { value: element } : element));
  return readMembers(attribute, members, attribute.name);
}

function removeSelected(expression: FilterExpression, attribute: AttributeDefinition): MembershipChange | undefined {
  const values = alternatives(expression, attribute);
  if (values === undefined) {
    return { kind: 'removeMatching', filter: bindElementFilter(expression, attribute) };
  }
  // What is no identifier is nobody's, and removing nobody is no error. ADR-0007.
  const ids = values.filter(isResourceId);
  return ids.length === 0 ? undefined : { kind: 'remove', ids };
}

/** The ids of `value eq "a" or value eq "b" …`; undefined for any other filter. Recursion is bounded by the parser. */
function alternatives(expression: FilterExpression, attribute: AttributeDefinition): string[] | undefined {
  if (expression.kind === 'or') {
    const lists = expression.operands.map((operand) => alternatives(operand, attribute));
    return lists.every((list) => list !== undefined) ? [...new Set(lists.flat())] : undefined;
  }
  const isValueEq =
    expression.kind === 'compare' &&
    expression.operator === 'eq' &&
    findSubAttribute(attribute, expression.path)?.name === 'value';
  return isValueEq && typeof expression.value === 'string' ? [expression.value] : undefined;
}

function isResourceId(text: string): text is ResourceId {
  return parseResourceId(text) !== undefined;
}
