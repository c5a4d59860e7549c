import { isDeepStrictEqual } from 'node:util';
import { isObject, type AttributeDefinition, type JsonObject, type JsonValue } from '@palisade/domain';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { badRequest } from '../scim.errors.js';
import { assignDefaults, type ResourceInput } from './read-resource.js';
import { requireAttributes } from './require-attributes.js';

/** What a PUT changes; members are apart. */
export interface ReplaceableState {
  readonly externalId?: string;
  readonly attributes: JsonObject;
}

/**
 * The state after a PUT (RFC 7644 §3.5.1): what the input sets replaces the current value whole, what it clears goes, what
 * it does not mention stays; an extension is merged attribute by attribute. Data that no schema of the resource type
 * defines any more is dropped. In the order of the schema.
 *
 * @throws {ScimError} 400 invalidValue when a required attribute would be missing, 400 mutability when an immutable one
 *   would change
 */
export function replaceAttributes(
  current: ReplaceableState,
  input: ResourceInput,
  schema: ResourceSchema,
): ReplaceableState {
  const cleared = new Set(input.cleared.map((path) => path.join(':')));
  const attributes = merge(schema.core.attributes, current.attributes, input.attributes, (name) => cleared.has(name));
  for (const { name: urn, subAttributes = [] } of schema.extensionAttributes) {
    const before = objectOrEmpty(current.attributes[urn]);
    const given = objectOrEmpty(input.attributes[urn]);
    const data = merge(subAttributes, before, given, (name) => cleared.has(urn) || cleared.has(`${urn}:${name}`));
    if (Object.keys(data).length > 0) {
      attributes[urn] = data;
    }
  }
  const completed = assignDefaults(attributes, schema, current.attributes);
  requireAttributes(completed, schema);
  const externalId = input.externalId === undefined ? current.externalId : (input.externalId ?? undefined);
  return { externalId, attributes: completed };
}

function merge(
  definitions: readonly AttributeDefinition[],
  before: JsonObject,
  given: JsonObject,
  isCleared: (name: string) => boolean,
): Record<string, JsonValue> {
  const merged: Record<string, JsonValue> = {};
  for (const attribute of definitions) {
    const { name } = attribute;
    const value = replaceValue(attribute, before[name], given[name], isCleared(name));
    if (value !== undefined) {
      merged[name] = value;
    }
  }
  return merged;
}

function replaceValue(
  attribute: AttributeDefinition,
  before: JsonValue | undefined,
  given: JsonValue | undefined,
  isCleared: boolean,
): JsonValue | undefined {
  if (attribute.mutability === 'immutable' && before !== undefined) {
    rejectChange(attribute, before, given, isCleared);
    return before;
  }
  if (given === undefined) {
    return isCleared ? undefined : before;
  }
  // A complex value is replaced whole, except that its immutable parts need not be repeated.
  return isObject(before) && isObject(given)
    ? merge(attribute.subAttributes ?? [], before, given, (name) => !isImmutable(attribute, name))
    : given;
}

// RFC 7644 §3.5.1: "If one or more values are already set for the attribute, the input value(s) MUST match, or HTTP
// status code 400 SHOULD be returned with a "scimType" error code of "mutability"."
function rejectChange(
  { name }: AttributeDefinition,
  before: JsonValue,
  given: JsonValue | undefined,
  isCleared: boolean,
): void {
  if (isCleared || (given !== undefined && !isDeepStrictEqual(before, given))) {
    throw badRequest('mutability', `${name}: expected the value that is set already, the attribute is immutable`);
  }
}

function isImmutable({ subAttributes = [] }: AttributeDefinition, name: string): boolean {
  return subAttributes.some((sub) => sub.name === name && sub.mutability === 'immutable');
}

function objectOrEmpty(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}
