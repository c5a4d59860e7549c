import {
  MAX_GROUP_MEMBERS,
  isObject,
  parseResourceId,
  type AttributeDefinition,
  type ResourceId,
} from '@palisade/domain';
import { invalidValue } from '../schema/invalid-value.js';
import { isList } from '../values/document-values.js';
import { readElement } from './read-value.js';

/**
 * The ids of a group's members in the order given, each once. A lone object counts as a list of one; null is an empty
 * list. Whether the members exist, and in the same provider, is for the store to check.
 *
 * @param members definition of the attribute `members`
 * @throws {ScimError} 400 invalidValue when a `value` is not a full identifier, or beyond `MAX_GROUP_MEMBERS`
 */
export function readMembers(members: AttributeDefinition, value: unknown, path: string): ResourceId[] {
  const elements = isList(value) ? value : [value ?? []].flat();
  if (elements.length > MAX_GROUP_MEMBERS) {
    throw invalidValue(path, `at most ${MAX_GROUP_MEMBERS} members`, elements);
  }
  const ids = new Set<ResourceId>();
  for (const [index, element] of elements.entries()) {
    const member = readElement(members, element, `${path}[${index}]`);
    const id = isObject(member) ? member.value : undefined;
    if (typeof id !== 'string' || !isResourceId(id)) {
      throw invalidValue(`${path}[${index}].value`, 'the full id of a user or group', id);
    }
    ids.add(id);
  }
  return [...ids];
}

function isResourceId(text: string): text is ResourceId {
  return parseResourceId(text) !== undefined;
}
