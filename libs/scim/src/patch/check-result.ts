import { isObject, type AttributeDefinition, type JsonObject, type JsonValue } from '@palisade/domain';
import { requireAttributes } from '../resource/require-attributes.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { badRequest, ScimError } from '../scim.errors.js';
import { isList } from '../values/document-values.js';
import { ownProperty } from './change-at.js';
import { hasPrimary, isPrimary } from './change-list.js';

/**
 * Checks what operations one by one cannot: every required attribute is there and one value of a list at most is primary.
 * What was wrong before is not held against the patch: a schema may have become stricter since the resource was stored,
 * and that must not stand in the way of, say, deactivating a user.
 *
 * @throws {ScimError} 400 invalidValue
 */
export function checkResult(before: JsonObject, after: JsonObject, schema: ResourceSchema): void {
  rejectSeveralPrimaries(schema.attributes, before, after);
  const missing = findMissing(after, schema);
  if (missing !== undefined && missing.detail !== findMissing(before, schema)?.detail) {
    throw missing;
  }
}

function rejectSeveralPrimaries(
  attributes: readonly AttributeDefinition[],
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): void {
  for (const { name, multiValued, subAttributes = [] } of attributes) {
    const was = isObject(before) ? ownProperty(before, name) : undefined;
    const is = isObject(after) ? ownProperty(after, name) : undefined;
    if (was === is) {
      continue;
    }
    if (!multiValued) {
      rejectSeveralPrimaries(subAttributes, was, is);
    } else if (hasPrimary(subAttributes) && isList(is) && is.filter(isPrimary).length > 1) {
      // RFC 7643 §2.4: "The primary attribute value "true" MUST appear no more than once."
      throw badRequest('invalidValue', `${name}: expected at most one value with "primary": true, found more`);
    }
  }
}

function findMissing(attributes: JsonObject, schema: ResourceSchema): ScimError | undefined {
  try {
    requireAttributes(attributes, schema);
    return undefined;
  } catch (error) {
    if (error instanceof ScimError) {
      return error;
    }
    throw error;
  }
}
