import { isDeepStrictEqual } from 'node:util';
import { isObject, type AttributeDefinition, type JsonObject, type JsonValue } from '@palisade/domain';
import type { Steps } from '../filter/attribute-scope.js';
import { badRequest } from '../scim.errors.js';

/** Undefined stands for unassigned, before and after. */
export type Change = (before: JsonValue | undefined) => JsonValue | undefined;

/**
 * A copy of `object` with one attribute changed; `object` itself when the change makes no difference. Attributes come in
 * the order of `attributes`, those that it does not list after them. Complex attributes on the way appear when their
 * first sub-attribute does, and go with their last.
 *
 * @param attributes what the schema defines in this object
 * @throws {ScimError} 400 mutability when a required attribute would lose its value
 */
export function changeAt(
  object: JsonObject,
  attributes: readonly AttributeDefinition[],
  [attribute, ...rest]: Steps,
  change: Change,
): JsonObject {
  const before = ownProperty(object, attribute.name);
  const [next, ...further] = rest;
  const after = next === undefined ? change(before) : changeInside(before, attribute, [next, ...further], change);
  if (after === before) {
    return object;
  }
  // RFC 7644 §3.5.2.2: what "is removed or becomes unassigned and is defined as a required attribute" → "mutability".
  if (after === undefined && attribute.required) {
    throw badRequest('mutability', `${attribute.name}: expected to keep a value, the attribute is required`);
  }
  return withProperty(object, attributes, attribute.name, after);
}

export function ownProperty(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function changeInside(
  before: JsonValue | undefined,
  { subAttributes = [] }: AttributeDefinition,
  steps: Steps,
  change: Change,
): JsonValue | undefined {
  const inner = isObject(before) ? before : {};
  const after = changeAt(inner, subAttributes, steps, change);
  if (after === inner) {
    return before;
  }
  return Object.keys(after).length === 0 ? undefined : after;
}

function withProperty(
  object: JsonObject,
  attributes: readonly AttributeDefinition[],
  name: string,
  value: JsonValue | undefined,
): JsonObject {
  if (value !== undefined && Object.hasOwn(object, name)) {
    return { ...object, [name]: value };
  }
  const names = new Set([...attributes.map((attribute) => attribute.name), ...Object.keys(object)]);
  const entries: [string, JsonValue][] = [];
  for (const key of names) {
    const held = key === name ? value : ownProperty(object, key);
    if (held !== undefined) {
      entries.push([key, held]);
    }
  }
  return Object.fromEntries(entries);
}

/**
 * RFC 7644 §3.5.2: a client "MUST NOT modify an attribute that has mutability "readOnly" or "immutable"", but may give an
 * immutable one its first value. Elements of lists come and go whole, so only the list itself is compared here.
 *
 * @param attributes what the schema defines in these objects
 * @throws {ScimError} 400 mutability
 */
export function rejectImmutableChange(
  attributes: readonly AttributeDefinition[],
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): void {
  for (const { name, mutability, multiValued, subAttributes } of attributes) {
    const was = isObject(before) ? ownProperty(before, name) : undefined;
    const is = isObject(after) ? ownProperty(after, name) : undefined;
    if (was === undefined || was === is) {
      continue;
    }
    if (mutability === 'immutable' && !isDeepStrictEqual(was, is)) {
      throw badRequest('mutability', `${name}: expected the value that is set already, the attribute is immutable`);
    }
    if (subAttributes !== undefined && !multiValued) {
      rejectImmutableChange(subAttributes, was, is);
    }
  }
}
