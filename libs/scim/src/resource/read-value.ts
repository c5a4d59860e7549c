import { isObject, type AttributeDefinition, type JsonObject, type JsonValue } from '@palisade/domain';
import { invalidValue, quote } from '../schema/invalid-value.js';
import { findSubAttribute } from '../schema/resource-schema.js';
import { badRequest, type ScimError } from '../scim.errors.js';
import { isList } from '../values/document-values.js';
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
  rejectSeveralPrimaries(attribute, list, path);
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
function rejectSeveralPrimaries(attribute: AttributeDefinition, elements: readonly JsonValue[], path: string): void {
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

/**
 * The properties of an object by the attribute that each one names, without regard to case (RFC 7643 §2.1). Properties
 * of readOnly attributes are left out, whatever they hold.
 *
 * @param find the attribute of a name
 * @param onUnknown is told of every name that no attribute has; throws unless it tolerates the name
 * @throws {ScimError} 400 invalidSyntax when two properties name the same attribute
 */
export function matchAttributes(
  object: Readonly<Record<string, unknown>>,
  find: (name: string) => AttributeDefinition | undefined,
  onUnknown: (name: string) => void,
): Map<AttributeDefinition, unknown> {
  const matched = new Map<AttributeDefinition, unknown>();
  for (const [name, value] of Object.entries(object)) {
    const attribute = find(name);
    if (attribute === undefined) {
      onUnknown(name);
    } else if (matched.has(attribute)) {
      throw badRequest('invalidSyntax', `${attribute.name}: expected to be given once, found another ${quote(name)}`);
    } else if (attribute.mutability !== 'readOnly' && value !== undefined) {
      // RFC 7644 §3.3: attributes whose mutability is "readOnly" "SHALL be ignored".
      matched.set(attribute, value);
    }
  }
  return matched;
}

/** A 400 invalidSyntax for a name that no schema defines at this place. */
export function unknownAttribute(name: string, place: string): ScimError {
  return badRequest('invalidSyntax', `${place}: expected attributes that its schemas define, found ${quote(name)}`);
}
