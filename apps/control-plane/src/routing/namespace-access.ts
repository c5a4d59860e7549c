import { Injectable } from '@nestjs/common';
import {
  TenantNotFoundError,
  parseNamespaceId,
  patternShape,
  type NamespaceId,
  type NamespacePattern,
  type TenantId,
} from '@palisade/domain';
import { administers, type AdminPrincipal } from '@palisade/guards';
import { DeniedAttempts } from '@palisade/platform';
import { NamespaceNotFoundError } from './routing.errors.js';
import { withoutTenant, type Route } from './table/route.js';
import type { RoutingTable } from './table/routing-table.js';

/** Keeps admins of some namespaces to those, and to tenants of which they administer every namespace. */
@Injectable()
export class NamespaceAccess {
  constructor(private readonly denied: DeniedAttempts) {}

  /** @throws {NamespaceNotFoundError} unless the admin administers it; the attempt is recorded */
  require(admin: AdminPrincipal, namespace: NamespaceId, action: string): void {
    if (!administers(admin, namespace)) {
      this.denied.record({ userId: admin.actor, action, resource: `namespace:${namespace}`, namespace });
      throw new NamespaceNotFoundError(namespace);
    }
  }

  /** @throws {TenantNotFoundError} unless the admin may see the tenant; the attempt is recorded */
  requireTenant(admin: AdminPrincipal, id: TenantId, patterns: readonly NamespacePattern[]): void {
    if (!this.seesTenant(admin, patterns)) {
      this.denied.record({ userId: admin.actor, action: 'tenant.read', resource: `tenant:${id}`, tenantId: id });
      throw new TenantNotFoundError(id);
    }
  }

  /** Whether the admin may see the tenant of a namespace; it may be hidden although the namespace is not. */
  maySeeOwner(admin: AdminPrincipal, table: RoutingTable, tenant: TenantId): boolean {
    const patterns = table.find(tenant)?.tenant.namespacePatterns;
    return admin.namespaces === '*' || (patterns !== undefined && this.seesTenant(admin, patterns));
  }

  /** The route without its tenant and that tenant's pattern, if the tenant is hidden from the admin. */
  withoutHiddenTenant(admin: AdminPrincipal, table: RoutingTable, route: Route): Route {
    const { tenant } = route;
    return tenant === undefined || this.maySeeOwner(admin, table, tenant) ? route : withoutTenant(route);
  }

  /** A glob may match namespaces that the admin does not administer, so it takes an admin of every namespace. */
  seesTenant(admin: AdminPrincipal, patterns: readonly NamespacePattern[]): boolean {
    return admin.namespaces === '*' || patterns.every((pattern) => isAdministered(admin, pattern));
  }
}

function isAdministered(admin: AdminPrincipal, pattern: NamespacePattern): boolean {
  return patternShape(pattern) === 'exact' && administers(admin, parseNamespaceId(pattern));
}
