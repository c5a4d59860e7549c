import { Injectable } from '@nestjs/common';
import {
  Store,
  parseNamespaceId,
  patternShape,
  type NamespaceId,
  type NamespacePattern,
  type NamespaceUser,
  type TenantId,
  type UserId,
} from '@palisade/domain';
import type { AdminPrincipal } from '@palisade/guards';
import { TenantsService } from '../tenants/tenants.service.js';

export interface TenantAdmin extends NamespaceUser {
  readonly namespace: NamespaceId;
}

/** Where a page begins: behind that user of the namespace, or with its first one. */
export interface AdminsPosition {
  readonly namespace: NamespaceId;
  readonly user?: UserId;
}

export interface AdminsPage {
  readonly items: readonly TenantAdmin[];
  /** Where there may be more. */
  readonly next?: AdminsPosition;
}

/** Each costs a query, so a page ends early when this many namespaces have no admins. */
const MAX_NAMESPACES_PER_PAGE = 100;

/** Who administers the namespaces of a tenant, as bindings have it. */
@Injectable()
export class TenantAdmins {
  constructor(
    private readonly store: Store,
    private readonly tenants: TenantsService,
  ) {}

  /**
   * In order of namespace, then of user. A glob stands for namespaces that nobody has listed, so its admins are not here.
   *
   * @throws {TenantNotFoundError}
   */
  async list(admin: AdminPrincipal, id: TenantId, limit: number, from?: AdminsPosition): Promise<AdminsPage> {
    const { namespacePatterns } = await this.tenants.get(admin, id);
    const namespaces = exactNames(namespacePatterns).filter((name) => from === undefined || name >= from.namespace);
    const found: TenantAdmin[] = [];
    for (const namespace of namespaces.slice(0, MAX_NAMESPACES_PER_PAGE)) {
      const after = namespace === from?.namespace ? from.user : undefined;
      const room = limit + 1 - found.length;
      const users = await this.store.bindings.usersOf({ namespace, relation: 'admin', after, limit: room });
      found.push(...users.map((user) => ({ ...user, namespace })));
      if (found.length > limit) {
        break;
      }
    }
    return { items: found.slice(0, limit), ...nextOf(found, limit, namespaces[MAX_NAMESPACES_PER_PAGE]) };
  }
}

function nextOf(
  found: readonly TenantAdmin[],
  limit: number,
  unread: NamespaceId | undefined,
): Pick<AdminsPage, 'next'> {
  const last = found.length > limit ? found[limit - 1] : undefined;
  if (last !== undefined) {
    return { next: { namespace: last.namespace, user: last.id } };
  }
  return unread === undefined ? {} : { next: { namespace: unread } };
}

function exactNames(patterns: readonly NamespacePattern[]): NamespaceId[] {
  return patterns
    .filter((pattern) => patternShape(pattern) === 'exact')
    .map((pattern) => parseNamespaceId(pattern))
    .sort();
}
