import { Injectable } from '@nestjs/common';
import type { NamespaceId } from '@palisade/domain';
import { ForbiddenError, type AdminPrincipal } from '@palisade/guards';
import { DeniedAttempts } from '@palisade/platform';
import { Registry } from './table/registry.js';
import { explainRoute } from './explain/explain-route.js';
import type { Explanation, Question } from './explain/explanation.js';
import { NamespaceAccess } from './namespace-access.js';
import { NoRouteError } from './routing.errors.js';
import type { Route } from './table/route.js';

/** Where namespaces go, and why. */
@Injectable()
export class RoutingService {
  constructor(
    private readonly registry: Registry,
    private readonly access: NamespaceAccess,
    private readonly denied: DeniedAttempts,
  ) {}

  /** @throws {NamespaceNotFoundError} {@link NoRouteError} */
  async resolve(admin: AdminPrincipal, namespace: NamespaceId): Promise<Route> {
    this.access.require(admin, namespace, 'routing.resolve');
    const table = await this.registry.current();
    const route = table.resolve(namespace);
    if (route === undefined) {
      throw new NoRouteError(namespace);
    }
    return this.access.withoutHiddenTenant(admin, table, route);
  }

  /**
   * Admins of some namespaces may ask about those, but not what rules would say of tenants.
   *
   * @throws {NamespaceNotFoundError} {@link ForbiddenError}
   */
  async explain(admin: AdminPrincipal, question: Question): Promise<Explanation> {
    if (question.namespace !== undefined) {
      this.access.require(admin, question.namespace, 'routing.explain');
    }
    if (question.tenant !== undefined && admin.namespaces !== '*') {
      const detail = { reason: 'asked what rules say of a tenant' };
      this.denied.record({ userId: admin.actor, action: 'routing.explain', resource: 'tenant_routing', detail });
      throw new ForbiddenError('this question needs an admin of every namespace; ask about a namespace only');
    }
    const table = await this.registry.current();
    return explainRoute(table, question, (tenant) => this.access.maySeeOwner(admin, table, tenant));
  }
}
