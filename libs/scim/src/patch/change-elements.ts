import { isDeepStrictEqual } from 'node:util';
import { isObject, type AttributeDefinition, type Dialect, type JsonObject, type JsonValue } from '@palisade/domain';
import { lastStep } from '../filter/attribute-scope.js';
import { badRequest } from '../scim.errors.js';
import { isList } from '../values/document-values.js';
import { changeAt, rejectImmutableChange } from './change-at.js';
import { dropRepeats, mergeElement, settlePrimary, toAttributeValue } from './change-list.js';
import { changeValue } from './change-value.js';
import { elementFromFilter } from './element-from-filter.js';
import type { ElementInspector } from './element-inspector.js';
import type { ElementOperation } from './patch-operation.js';

/**
 * A multi-valued attribute after an operation on elements of it; `before` itself when nothing changes.
 *
 * @throws {ScimError} 400 noTarget when there is no such element and none may be created, 400 mutability when an
 *   immutable or required sub-attribute stands in the way, 400 tooMany
 */
export function changeElements(
  operation: ElementOperation,
  before: JsonValue | undefined,
  dialect: Dialect,
  inspector: ElementInspector,
): JsonValue | undefined {
  const { steps, selection } = operation;
  const attribute = lastStep(steps);
  const current = isList(before) ? before : [];
  // The list is walked and copied whatever is selected.
  inspector.charge(current.length);
  const elements: JsonValue[] = [];
  const changed = new Set<JsonValue>();
  let isAnySelected = false;
  for (const element of current) {
    const isSelected = selection === undefined || inspector.isSelected(selection, steps, element);
    const after = isSelected ? changeElement(operation, element, inspector) : element;
    isAnySelected ||= isSelected;
    if (after !== undefined) {
      elements.push(after);
    }
    if (after !== undefined && isSelected) {
      changed.add(after);
    }
  }
  const created = isAnySelected ? undefined : createElement(operation, dialect, inspector);
  if (created !== undefined) {
    elements.push(created);
    changed.add(created);
  }
  const distinct = dropRepeats(attribute, elements, changed, inspector);
  const settled = settlePrimary(attribute, current, distinct, changed);
  return settled === current ? before : toAttributeValue(attribute, settled);
}

/** Undefined when nothing is left of it. */
function changeElement(
  operation: ElementOperation,
  element: JsonValue,
  inspector: ElementInspector,
): JsonValue | undefined {
  const { change, steps } = operation;
  const { subAttributes = [] } = lastStep(steps);
  if (change.kind === 'drop') {
    return undefined;
  }
  if (change.kind === 'exchange') {
    const isSame = isDeepStrictEqual(element, change.element);
    rejectImmutableChange(subAttributes, element, change.element);
    return isSame ? element : change.element;
  }
  const merged = mergeValues(operation, change.values, isObject(element) ? element : {}, inspector);
  rejectImmutableChange(subAttributes, element, merged);
  return Object.keys(merged).length === 0 ? undefined : merged;
}

/** What an operation adds that selected no element; undefined for nothing. */
function createElement(
  operation: ElementOperation,
  dialect: Dialect,
  inspector: ElementInspector,
): JsonValue | undefined {
  const { op, path, steps, selection, change } = operation;
  const attribute = lastStep(steps);
  if (op === 'remove') {
    // RFC 7644 §3.5.2.2, of a member who is none: "no changes should be made", "a success response should be returned". ADR-0007.
    return undefined;
  }
  // RFC 7644 §3.5.2.3: a value filter was given "and no record match was made" → 400 "noTarget". Entra ID relies on the
  // element being created; add is treated as replace is. ADR-0008.
  const isCreatable = selection === undefined || dialect === 'entra';
  const template = isCreatable ? templateFor(attribute, operation) : undefined;
  if (template === undefined) {
    throw badRequest('noTarget', `${path}: expected at least one value that the filter selects, found none`);
  }
  switch (change.kind) {
    case 'drop':
      return undefined;
    case 'exchange':
      return mergeElement(attribute, template, change.element);
    case 'merge': {
      const isEmpty = [...change.values.values()].every((value) => value === undefined);
      return isEmpty ? undefined : mergeValues(operation, change.values, template, inspector);
    }
    default:
      return change satisfies never;
  }
}

function templateFor(attribute: AttributeDefinition, { selection }: ElementOperation): JsonObject | undefined {
  return selection === undefined || attribute.type !== 'complex'
    ? {}
    : elementFromFilter(selection.expression, attribute);
}

function mergeValues(
  { op, steps }: ElementOperation,
  values: ReadonlyMap<AttributeDefinition, JsonValue | undefined>,
  element: JsonObject,
  inspector: ElementInspector,
): JsonObject {
  const { subAttributes = [] } = lastStep(steps);
  let merged = element;
  for (const [sub, value] of values) {
    merged = changeAt(merged, subAttributes, [sub], (before) =>
      changeValue({ op, steps: [...steps, sub], value }, before, inspector),
    );
  }
  return merged;
}
