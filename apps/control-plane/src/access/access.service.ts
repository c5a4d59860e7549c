import { Injectable } from '@nestjs/common';
import {
  Store,
  answerAccess,
  includesRelation,
  type AccessAnswer,
  type NamespaceId,
  type ProviderId,
  type Proxy,
  type Relation,
  type UserId,
} from '@palisade/domain';
import { administers, type AdminPrincipal } from '@palisade/guards';
import { servingProxies } from '../routing/table/pool-servers.js';
import { Registry } from '../routing/table/registry.js';
import { NamespaceAccess } from '../routing/namespace-access.js';
import type { Route } from '../routing/table/route.js';
import type { RoutingTable } from '../routing/table/routing-table.js';

export interface UserReference {
  readonly provider: ProviderId;
  readonly id: UserId;
}

export interface RouteQuestion {
  readonly user: UserReference;
  readonly namespace: NamespaceId;
  readonly relation: Relation;
}

export interface RouteAnswer extends AccessAnswer {
  /** Undefined: requests for the namespace go nowhere. */
  readonly route?: Route;
  /** Proxies of the route's pool that take requests. */
  readonly healthyProxies: readonly Proxy[];
}

/** A namespace in which a user may do something, with the most that they may do. */
export interface ReachableNamespace {
  readonly namespace: NamespaceId;
  readonly relation: Relation;
  readonly route?: Route;
}

/** What the directory says of users and what the registry says of namespaces, in one answer. */
@Injectable()
export class AccessService {
  constructor(
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly access: NamespaceAccess,
  ) {}

  /** @throws {NamespaceNotFoundError} */
  async route(admin: AdminPrincipal, { user, namespace, relation }: RouteQuestion): Promise<RouteAnswer> {
    this.access.require(admin, namespace, 'access.route');
    const { provider, id: reference } = user;
    const knowsUsers = admin.namespaces === '*';
    const [answer, table, proxies] = await Promise.all([
      answerAccess(this.store, { provider, reference, namespace, relation, knowsUsers }),
      this.registry.current(),
      this.store.proxies.list(),
    ]);
    const route = this.routeFor(admin, table, namespace);
    return {
      ...answer,
      ...(route !== undefined && { route }),
      healthyProxies: route === undefined ? [] : servingProxies(proxies, [route.pool]),
    };
  }

  /** In order of name; those that the caller administers. */
  async namespacesOf(admin: AdminPrincipal, { provider, id }: UserReference): Promise<ReachableNamespace[]> {
    const [grants, table] = await Promise.all([this.store.bindings.grantsOf(provider, id), this.registry.current()]);
    const relations = new Map<NamespaceId, Relation>();
    for (const { binding } of grants) {
      const held = relations.get(binding.namespace);
      if (administers(admin, binding.namespace) && (held === undefined || includesRelation(binding.relation, held))) {
        relations.set(binding.namespace, binding.relation);
      }
    }
    return [...relations]
      .map(([namespace, relation]) => ({ namespace, relation, route: this.routeFor(admin, table, namespace) }))
      .sort((one, other) => (one.namespace < other.namespace ? -1 : 1));
  }

  private routeFor(admin: AdminPrincipal, table: RoutingTable, namespace: NamespaceId): Route | undefined {
    const route = table.resolve(namespace);
    return route && this.access.withoutHiddenTenant(admin, table, route);
  }
}
