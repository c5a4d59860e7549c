import {
  formatResourceId,
  parseNamespaceId,
  parseProviderId,
  parseResourceId,
  type AccessAnswer,
  type Grant,
  type NamespaceId,
  type NamespaceUser,
  type NamespaceUserQuery,
  type UserId,
} from '@palisade/domain';
import { decodeCursor, InvalidRequestError, toPage } from '@palisade/platform';
import { toBindingResponse } from '../bindings/binding.mapper.js';
import type {
  CheckParameters,
  CheckResponse,
  GrantResponse,
  NamespaceUserPage,
  NamespaceUserResponse,
  NamespaceUsersParameters,
  UserGrantsResponse,
} from './access.dto.js';
import type { AccessQuestion, UserReference } from './access.service.js';

/** @throws {InvalidRequestError} {@link InvalidIdentifierError} */
export function toAccessQuestion({ user, provider, namespace, relation }: CheckParameters): AccessQuestion {
  return { user: toUserReference(user, provider), namespace: parseNamespaceId(namespace), relation };
}

/**
 * @param provider may be left out when `reference` is a full identifier
 * @throws {InvalidRequestError} {@link InvalidIdentifierError}
 */
export function toUserReference(reference: string, provider: string | undefined): UserReference {
  if (provider !== undefined) {
    return { provider: parseProviderId(provider), reference };
  }
  const parts = parseResourceId(reference);
  if (parts?.type !== 'User') {
    throw new InvalidRequestError('provider', 'a provider id, unless the user is given as user:scim:<provider>:<id>');
  }
  return { provider: parts.providerId, reference };
}

/** @throws {InvalidRequestError} */
export function toNamespaceUserQuery(namespace: NamespaceId, query: NamespaceUsersParameters): NamespaceUserQuery {
  const { relation, limit, cursor } = query;
  return { namespace, relation, limit, after: cursor === undefined ? undefined : readCursor(cursor) };
}

export function toCheckResponse({ grants, denial }: AccessAnswer): CheckResponse {
  return { allowed: grants.length > 0, explanation: grants.map(toGrantResponse), reason: denial };
}

export function toUserGrantsResponse(grants: readonly Grant[]): UserGrantsResponse {
  return { grants: grants.map(toGrantResponse) };
}

export function toNamespaceUserPage(users: readonly NamespaceUser[], limit: number): NamespaceUserPage {
  return toPage(users, limit, ({ id }) => [id], toNamespaceUserResponse);
}

function toGrantResponse({ groups, binding }: Grant): GrantResponse {
  return { groups, binding: toBindingResponse(binding) };
}

function toNamespaceUserResponse({ id, userName, relation }: NamespaceUser): NamespaceUserResponse {
  return { id, user_name: userName, relation };
}

function readCursor(cursor: string): UserId {
  const [text = ''] = decodeCursor(cursor, 1);
  const parts = parseResourceId(text);
  if (parts?.type !== 'User') {
    throw new InvalidRequestError('cursor', 'the next_cursor of an earlier page');
  }
  return formatResourceId('User', parts.providerId, parts.localId);
}
