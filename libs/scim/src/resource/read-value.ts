import type { AttributeDefinition, JsonObject, JsonValue } from '@palisade/domain';
import { badRequest } from '../errors/scim.error.js';
import { invalidValue } from '../schema/invalid-value.js';
import { findSubAttribute } from '../schema/resource-schema.js';
import { isList, isObject } from './json-kind.js';
import { matchAttributes, unknownAttribute } from './match-attributes.js';
import { readPrimitive } from './read-primitive.js';

/** Most elements of one multi-valued attribute; members of a group have a bound of their own. */
export const MAX_ELEMENTS = 1000;

/**
 * Validates a value for an attribute and gives it the form in which it is stored: canonical names in the order of the
 * schema, nothing null or empty in it. Undefined when the value leaves the attribute unassigned (RFC 7643 §2.5).
 * ReadOnly sub-attributes, and those that are never returned, are dropped. Whether required sub-attributes are there is
 * for `requireAttributes` to check on the whole resource.
 *
 * Accepted beyond the RFC, because identity providers send it: booleans as strings, a lone value for a list, and for a
 * single-valued complex attribute with a sub-attribute `value` a list of one or the bare text of that `value`.
 *
 * @param path names the attribute in messages
 * @throws {ScimError} 400 invalidValue, or invalidSyntax for sub-attributes that are unknown or given twice
 */
export function readValue(attribute: AttributeDefinition, value: unknown, path: string): JsonValue | undefined {
  if (value === null || value === undefined || (isList(value) && value.length === 0)) {
    return undefined;
  }
  if (attribute.multiValued) {
    return readList(attribute, isList(value) ? value : [value], path);
  }
  return readElement(attribute, hasValue(attribute) ? unwrap(value) : value, path);
}

/** One element of a multi-valued attribute, or the value of a single-valued one; otherwise as {@link readValue}. */
export function readElement(attribute: AttributeDefinition, value: unknown, path: string): JsonValue | undefined {
  if (value === null || value === undefined) {
    return undefined;
  }
  return attribute.type === 'complex' ? readComplex(attribute, value, path) : readPrimitive(attribute, value, path);
}

function readList(attribute: AttributeDefinition, values: readonly unknown[], path: string): JsonValue | undefined {
  if (values.length > MAX_ELEMENTS) {
    throw invalidValue(path, `at most ${MAX_ELEMENTS} values`, values);
  }
  const elements = new Map<unknown, JsonValue>();
  for (const [index, value] of values.entries()) {
    const element = readElement(attribute, value, `${path}[${index}]`);
    if (element !== undefined) {
      const key = elementKey(element);
      elements.set(key, elements.get(key) ?? element);
    }
  }
  const list = [...elements.values()];
  refuseSeveralPrimaries(attribute, list, path);
  return list.length === 0 ? undefined : list;
}

// RFC 7643 §2.4: "SHOULD NOT return the same (type, value) combination more than once per attribute". Elements without
// a value, such as addresses, are all different.
function elementKey(element: JsonValue): unknown {
  if (!isObject(element)) {
    return element;
  }
  return element.value === undefined ? element : JSON.stringify([element.type, element.value]);
}

// RFC 7643 §2.4: "The primary attribute value "true" MUST appear no more than once."
function refuseSeveralPrimaries(attribute: AttributeDefinition, elements: readonly JsonValue[], path: string): void {
  if (findSubAttribute(attribute, 'primary')?.type === 'boolean' && elements.filter(isPrimary).length > 1) {
    throw badRequest('invalidValue', `${path}: expected at most one value with "primary": true, found more`);
  }
}

function isPrimary(element: JsonValue): boolean {
  return isObject(element) && element.primary === true;
}

function readComplex(attribute: AttributeDefinition, value: unknown, path: string): JsonObject | undefined {
  if (!isObject(value)) {
    throw invalidValue(path, 'an object', value);
  }
  const given = matchAttributes(
    value,
    (name) => findSubAttribute(attribute, name),
    (name) => {
      throw unknownAttribute(name, path);
    },
  );
  const complex: Record<string, JsonValue> = {};
  for (const sub of attribute.subAttributes ?? []) {
    const read = given.has(sub) ? readValue(sub, given.get(sub), `${path}.${sub.name}`) : undefined;
    if (read !== undefined && sub.returned !== 'never') {
      complex[sub.name] = read;
    }
  }
  return Object.keys(complex).length === 0 ? undefined : complex;
}

function hasValue(attribute: AttributeDefinition): boolean {
  return attribute.type === 'complex' && findSubAttribute(attribute, 'value') !== undefined;
}

// Entra ID sets a manager as [{"value": "id"}] or as "id".
function unwrap(value: unknown): unknown {
  const only = isList(value) && value.length === 1 ? value[0] : value;
  return typeof only === 'string' ? { value: only } : only;
}
