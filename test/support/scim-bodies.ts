import type { JsonObject, JsonValue } from '@palisade/domain';

export const USER_URN = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE_URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0';
export const LIST_URN = `${MESSAGES}:ListResponse`;
export const ERROR_URN = `${MESSAGES}:Error`;

/** The body of a User. */
export function user(attributes: JsonObject): JsonObject {
  return { schemas: [USER_URN], ...attributes };
}

/** The body of a User with attributes of the enterprise extension. */
export function enterpriseUser(attributes: JsonObject, enterprise: JsonObject): JsonObject {
  return { schemas: [USER_URN, ENTERPRISE_URN], ...attributes, [ENTERPRISE_URN]: enterprise };
}

/** The body of a Group; `members` are identifiers. */
export function group(attributes: JsonObject, members: readonly string[] = []): JsonObject {
  return { schemas: [GROUP_URN], ...attributes, members: members.map((value) => ({ value })) };
}

export interface PatchOperation extends JsonObject {
  readonly op: string;
}

/** The body of a PATCH. */
export function patchOp(...operations: readonly PatchOperation[]): JsonObject {
  return { schemas: [`${MESSAGES}:PatchOp`], Operations: operations };
}

/** The body of a `.search`. */
export function searchRequest(parameters: JsonObject): JsonObject {
  return { schemas: [`${MESSAGES}:SearchRequest`], ...parameters };
}

/** The body of a `/Bulk` request. */
export function bulkRequest(operations: readonly JsonValue[], options: JsonObject = {}): JsonObject {
  return { schemas: [`${MESSAGES}:BulkRequest`], ...options, Operations: operations };
}

/** Where a resource is, below `/scim/v2`. */
export function pathOf(resource: { readonly id: string }): string {
  const endpoint = resource.id.startsWith('user:') ? 'Users' : 'Groups';
  return `/${endpoint}/${encodeURIComponent(resource.id)}`;
}
