import { formatResourceId, parseNamespaceId, parseResourceId, type Grant, type UserId } from '@palisade/domain';
import { InvalidRequestError, decodeCursor, encodeCursor, toPage } from '@palisade/platform';
import { toRouteResponse } from '../routing/routing.mapper.js';
import { toHealthyProxy } from '../tenants/tenant.mapper.js';
import type {
  AccessGrantResponse,
  AccessRouteParameters,
  AccessRouteResponse,
  Hindrance,
  ReachableNamespacePage,
  ReachableNamespaceResponse,
  TenantAdminPage,
} from './access.dto.js';
import type { ReachableNamespace, RouteAnswer, RouteQuestion, UserReference } from './access.service.js';
import type { AdminsPage, AdminsPosition } from './tenant-admins.js';

/** @throws {InvalidRequestError} {@link InvalidIdentifierError} */
export function toRouteQuestion({ user, namespace, relation }: AccessRouteParameters): RouteQuestion {
  return { user: toUserReference(user), namespace: parseNamespaceId(namespace), relation };
}

/** @throws {InvalidRequestError} */
export function toUserReference(text: string): UserReference {
  const parts = parseResourceId(text);
  if (parts?.type !== 'User') {
    throw new InvalidRequestError('user', 'a full identifier: user:scim:<provider>:<id>');
  }
  return { provider: parts.providerId, id: formatResourceId('User', parts.providerId, parts.localId) };
}

export function toAccessRouteResponse({ user }: RouteQuestion, answer: RouteAnswer): AccessRouteResponse {
  const { grants, route, healthyProxies } = answer;
  return {
    allowed: grants.length > 0 && route !== undefined,
    because: grants.map((grant) => toGrantResponse(user.id, grant)),
    route: route && { ...toRouteResponse(route), healthy_proxies: healthyProxies.map(toHealthyProxy) },
    reason: findHindrance(answer),
  };
}

/**
 * Whether a namespace comes behind the one at which a page ended.
 *
 * @throws {InvalidRequestError} {@link InvalidIdentifierError}
 */
export function afterCursor(cursor: string | undefined): (each: ReachableNamespace) => boolean {
  const [text = ''] = decodeCursor(cursor, 1);
  const last = cursor === undefined ? '' : parseNamespaceId(text);
  return ({ namespace }) => namespace > last;
}

export function toReachablePage(found: readonly ReachableNamespace[], limit: number): ReachableNamespacePage {
  return toPage(found, limit, ({ namespace }) => [namespace], toReachableResponse);
}

/** @throws {InvalidRequestError} {@link InvalidIdentifierError} */
export function toAdminsPosition(cursor: string | undefined): AdminsPosition | undefined {
  if (cursor === undefined) {
    return undefined;
  }
  const [namespace = '', user = ''] = decodeCursor(cursor, 2);
  return { namespace: parseNamespaceId(namespace), ...(user !== '' && { user: toUserReference(user).id }) };
}

export function toTenantAdminPage({ items, next }: AdminsPage): TenantAdminPage {
  return {
    items: items.map(({ namespace, id, userName }) => ({ namespace, user: id, user_name: userName })),
    ...(next !== undefined && { next_cursor: encodeCursor([next.namespace, next.user ?? '']) }),
  };
}

function findHindrance({ denial, route, healthyProxies }: RouteAnswer): Hindrance | undefined {
  if (denial !== undefined) {
    return denial;
  }
  if (route === undefined) {
    return 'no_route';
  }
  return healthyProxies.length === 0 ? 'no_healthy_proxy' : undefined;
}

function toGrantResponse(user: UserId, { groups, binding }: Grant): AccessGrantResponse {
  const { namespace, boundSubject, relation, approvedBy } = binding;
  return { user, groups, binding: { namespace, bound_subject: boundSubject, relation, approved_by: approvedBy } };
}

function toReachableResponse({ namespace, relation, route }: ReachableNamespace): ReachableNamespaceResponse {
  return {
    namespace,
    relation,
    tenant_id: route?.tenant,
    pool: route?.pool,
    isolation_level: route?.isolationLevel,
  };
}
