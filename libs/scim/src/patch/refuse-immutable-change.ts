import { isDeepStrictEqual } from 'node:util';
import type { AttributeDefinition, JsonValue } from '@palisade/domain';
import { badRequest } from '../errors/scim.error.js';
import { isObject } from '../resource/json-kind.js';
import { ownProperty } from './change-at.js';

/**
 * RFC 7644 §3.5.2: a client "MUST NOT modify an attribute that has mutability "readOnly" or "immutable"", but may give an
 * immutable one its first value. Elements of lists come and go whole, so only the list itself is compared here.
 *
 * @param attributes what the schema defines in these objects
 * @throws {ScimError} 400 mutability
 */
export function refuseImmutableChange(
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
      refuseImmutableChange(subAttributes, was, is);
    }
  }
}
