import { isObject, type AttributeDefinition, type JsonObject, type JsonValue } from '@palisade/domain';
import { invalidValue } from '../schema/invalid-value.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { isList } from '../values/document-values.js';

/**
 * Checks that whole attributes of a resource, as they are stored, hold every required one: at the top, in each complex
 * value, in each extension that is used, and the extensions that are required themselves. A required text must not be
 * blank either (RFC 7643 §4.1.1: "a non-empty userName value").
 *
 * @throws {ScimError} 400 invalidValue naming the first one that is missing
 */
export function requireAttributes(attributes: JsonObject, schema: ResourceSchema): void {
  for (const attribute of schema.core.attributes) {
    requireValue(attribute, attributes[attribute.name], attribute.name);
  }
  // RFC 7643 §6: if an extension is required, a resource "MUST include this schema extension and also include any
  // attributes declared as required in this schema extension".
  for (const extension of schema.extensionAttributes) {
    const data = attributes[extension.name];
    if (isObject(data)) {
      for (const attribute of extension.subAttributes ?? []) {
        requireValue(attribute, data[attribute.name], `${extension.name}:${attribute.name}`);
      }
    } else if (extension.required) {
      throw invalidValue(extension.name, 'data of this required extension', data);
    }
  }
}

function requireValue(attribute: AttributeDefinition, value: JsonValue | undefined, path: string): void {
  const isMissing = value === undefined || (typeof value === 'string' && value.trim() === '');
  if (isMissing && attribute.required) {
    throw invalidValue(path, 'a value, the attribute is required', value);
  }
  for (const element of isList(value) ? value : [value]) {
    if (isObject(element)) {
      for (const sub of attribute.subAttributes ?? []) {
        requireValue(sub, element[sub.name], `${path}.${sub.name}`);
      }
    }
  }
}
