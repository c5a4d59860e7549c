import type { JsonObject } from '@palisade/domain';
import { group, user } from '../support/scim-bodies.js';

/** A bulk operation that creates a user. */
export function createUser(bulkId: string, userName: string): JsonObject {
  return { method: 'POST', path: '/Users', bulkId, data: user({ userName }) };
}

/** A bulk operation that creates a group. */
export function createGroup(bulkId: string, displayName: string, ...members: readonly string[]): JsonObject {
  return { method: 'POST', path: '/Groups', bulkId, data: group({ displayName }, members) };
}
