import type { AttributeDefinition } from '@palisade/domain';
import { badRequest, type ScimError } from '../errors/scim.error.js';
import { quote } from '../schema/invalid-value.js';

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
