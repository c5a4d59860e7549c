import { isObject, type AttributeDefinition, type JsonObject, type JsonValue } from '@palisade/domain';
import type { Steps } from '../filter/attribute-scope.js';
import { MAX_ELEMENTS } from '../resource/read-value.js';
import { invalidValue } from '../schema/invalid-value.js';
import { ownValue } from '../values/document-values.js';
import { changeAt, ownProperty, rejectImmutableChange } from './change-at.js';
import type { ElementInspector } from './element-inspector.js';

/**
 * A list as the value of an attribute. RFC 7643 §2.5: without elements it is unassigned.
 *
 * @throws {ScimError} 400 invalidValue beyond 1000 elements
 */
export function toAttributeValue(
  { name }: AttributeDefinition,
  elements: readonly JsonValue[],
): readonly JsonValue[] | undefined {
  if (elements.length > MAX_ELEMENTS) {
    throw invalidValue(name, `at most ${MAX_ELEMENTS} values`, elements);
  }
  return elements.length === 0 ? undefined : elements;
}

/**
 * The list with these elements as well. One that is there already only takes over what the added one says of it.
 * `current` itself when nothing changes.
 *
 * @throws {ScimError} 400 mutability when it would take over another value of an immutable sub-attribute, 400 tooMany
 */
export function addElements(
  attribute: AttributeDefinition,
  current: readonly JsonValue[],
  added: readonly JsonValue[],
  inspector: ElementInspector,
): readonly JsonValue[] {
  inspector.charge(current.length);
  const elements = [...current];
  const positions = new Map<string, number>();
  for (const [position, element] of current.entries()) {
    const key = inspector.key(attribute, element);
    positions.set(key, positions.get(key) ?? position);
  }
  const changed = new Set<JsonValue>();
  for (const element of added) {
    const key = inspector.key(attribute, element);
    const position = positions.get(key) ?? elements.length;
    const merged = mergeElement(attribute, elements[position], element);
    rejectImmutableChange(attribute.subAttributes ?? [], elements[position], merged);
    positions.set(key, position);
    elements[position] = merged;
    changed.add(merged);
  }
  return settlePrimary(attribute, current, elements, changed);
}

/**
 * The list without the elements of which one of those given says nothing that they do not say themselves. `current`
 * itself when nothing changes.
 *
 * @throws {ScimError} 400 tooMany
 */
export function removeElements(
  steps: Steps,
  current: readonly JsonValue[],
  removed: readonly JsonValue[],
  inspector: ElementInspector,
): readonly JsonValue[] {
  // By the names that an element gives: what is known of all elements that give the same ones.
  const given = Map.groupBy(
    removed.map((element) => inspector.searchForm(steps, element)),
    (form) => JSON.stringify(Object.keys(form)),
  );
  const wanted = [...given.values()].map(([first = {}, ...others]) => {
    const names = Object.keys(first);
    return { names, values: new Set([first, ...others].map((form) => valuesOf(form, names))) };
  });
  inspector.charge(current.length * wanted.length);
  const kept = current.filter((element) => {
    const form = inspector.searchForm(steps, element);
    return !wanted.some(({ names, values }) => names.length > 0 && values.has(valuesOf(form, names)));
  });
  return kept.length === current.length ? current : kept;
}

/** The sub-attributes of `added` over those of `before`, in the order of the schema; `before` itself when they say the same. */
export function mergeElement(
  { subAttributes = [] }: AttributeDefinition,
  before: JsonValue | undefined,
  added: JsonValue,
): JsonValue {
  if (!isObject(before) || !isObject(added)) {
    return added;
  }
  return subAttributes.reduce((merged, sub) => {
    const value = ownProperty(added, sub.name);
    return value === undefined ? merged : changeAt(merged, subAttributes, [sub], () => value);
  }, before);
}

/**
 * The list without elements that stand for the same as a changed one. RFC 7643 §2.4: "SHOULD NOT return the same (type,
 * value) combination more than once per attribute".
 */
export function dropRepeats(
  attribute: AttributeDefinition,
  elements: readonly JsonValue[],
  changed: ReadonlySet<JsonValue>,
  inspector: ElementInspector,
): readonly JsonValue[] {
  if (changed.size === 0) {
    return elements;
  }
  const keys = new Set([...changed].map((element) => inspector.key(attribute, element)));
  const taken = new Set<string>();
  return elements.filter((element) => {
    const key = inspector.key(attribute, element);
    const isHolder = changed.has(element) && !taken.has(key);
    if (isHolder) {
      taken.add(key);
    }
    return isHolder || !keys.has(key);
  });
}

/**
 * The changed list; `before` itself when it holds the same elements. RFC 7644 §3.5.2: an operation that sets a value's
 * "primary" to true "SHALL cause the server to automatically set "primary" to "false" for any other values".
 *
 * @param changed those of `elements` that the operation was about
 */
export function settlePrimary(
  { subAttributes = [] }: AttributeDefinition,
  before: readonly JsonValue[],
  elements: readonly JsonValue[],
  changed: ReadonlySet<JsonValue>,
): readonly JsonValue[] {
  const primary = subAttributes.find(isPrimaryFlag);
  if (primary === undefined || !elements.some((element) => changed.has(element) && isPrimary(element))) {
    return isSameList(before, elements) ? before : elements;
  }
  const settled = elements.map((element) =>
    isObject(element) && isPrimary(element) && !changed.has(element)
      ? changeAt(element, subAttributes, [primary], () => false)
      : element,
  );
  return isSameList(before, settled) ? before : settled;
}

/** Whether elements with these sub-attributes have a `primary` of RFC 7643 §2.4. */
export function hasPrimary(subAttributes: readonly AttributeDefinition[]): boolean {
  return subAttributes.some(isPrimaryFlag);
}

export function isPrimary(element: JsonValue): boolean {
  return ownValue(element, 'primary') === true;
}

function isPrimaryFlag({ name, type }: AttributeDefinition): boolean {
  return name === 'primary' && type === 'boolean';
}

function valuesOf(form: JsonObject, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => ownValue(form, name)));
}

function isSameList(left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  return left.length === right.length && left.every((element, index) => element === right[index]);
}
