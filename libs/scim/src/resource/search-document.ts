import { isObject, type AttributeDefinition, type JsonObject, type JsonValue } from '@palisade/domain';
import { findSubAttribute, type ResourceSchema } from '../schema/resource-schema.js';
import { toCanonicalDateTime } from '../values/canonical-date-time.js';
import { isList } from '../values/document-values.js';
import { foldCase } from '../values/fold-case.js';

/**
 * Stored attributes in the form in which they are compared: texts that are not caseExact folded, dateTimes in UTC with
 * milliseconds, everything else verbatim. What no schema defines, or is never returned, is left out.
 */
export function createSearchDocument(attributes: JsonObject, schema: ResourceSchema): JsonObject {
  return comparableObject(attributes, (name) => schema.findAttribute(name));
}

function comparableObject(
  object: JsonObject,
  find: (name: string) => AttributeDefinition | undefined,
): Record<string, JsonValue> {
  const comparable: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(object)) {
    const attribute = find(name);
    if (attribute !== undefined && attribute.returned !== 'never') {
      comparable[attribute.name] = createSearchValue(attribute, value);
    }
  }
  return comparable;
}

/** One value of an attribute in that form. */
export function createSearchValue(attribute: AttributeDefinition, value: JsonValue): JsonValue {
  if (isList(value)) {
    return value.map((element) => createSearchValue(attribute, element));
  }
  if (isObject(value)) {
    return comparableObject(value, (name) => findSubAttribute(attribute, name));
  }
  return typeof value === 'string' ? comparableText(attribute, value) : value;
}

function comparableText({ type, caseExact }: AttributeDefinition, text: string): string {
  if (type === 'dateTime') {
    return toCanonicalDateTime(text) ?? text;
  }
  return type === 'string' && !caseExact ? foldCase(text) : text;
}
