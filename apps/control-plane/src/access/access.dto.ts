import { ACCESS_DENIALS, ISOLATION_LEVELS, RELATIONS, type IsolationLevel, type Relation } from '@palisade/domain';
import { Choice, Flag, List, Name, Nested, PageParameters, Text, Texts, pageOf } from '@palisade/platform';
import { HealthyProxyResponse } from '../proxies/proxies.dto.js';
import { RouteResponse } from '../routing/routing.dto.js';

/** Slightly more than the longest full identifier. */
const USER = { maxLength: 350, example: 'user:scim:default:ada' } as const;
const NAMESPACE = { example: 'acme-orders' } as const;

/** What keeps requests of the user from being served, in this order. */
export const HINDRANCES = [...ACCESS_DENIALS, 'no_route', 'no_healthy_proxy'] as const;
export type Hindrance = (typeof HINDRANCES)[number];

export class AccessRouteParameters {
  @Text('Full identifier of the user.', USER)
  readonly user!: string;

  @Name('Name of the namespace.', NAMESPACE)
  readonly namespace!: string;

  @Choice('The relation in question; one that includes it answers as well.', RELATIONS, { default: 'read' })
  readonly relation: Relation = 'read';
}

export class ReachableNamespacesParameters extends PageParameters {
  @Text('Full identifier of the user.', USER)
  readonly user!: string;
}

export class GrantBindingResponse {
  @Text('Name of the namespace.', NAMESPACE)
  readonly namespace!: string;

  @Text('The group that is bound.', { example: 'group:scim:default:eng' })
  readonly bound_subject!: string;

  @Choice('What it gives.', RELATIONS, { example: 'write' })
  readonly relation!: Relation;

  @Text('Who approved it.', { example: 'ann@example.com' })
  readonly approved_by!: string;
}

export class AccessGrantResponse {
  @Text('Full identifier of the user.', { example: USER.example })
  readonly user!: string;

  @Texts('From the group that the user is a direct member of up to the bound one.', {
    example: ['group:scim:default:backend', 'group:scim:default:eng'],
  })
  readonly groups!: readonly string[];

  @Nested('The binding that gives it.', GrantBindingResponse)
  readonly binding!: GrantBindingResponse;
}

export class ServedRouteResponse extends RouteResponse {
  @List('Proxies of the pool that take requests.', HealthyProxyResponse)
  readonly healthy_proxies!: readonly HealthyProxyResponse[];
}

export class AccessRouteResponse {
  @Flag('Whether the user has the relation, and the namespace a route.', { example: true })
  readonly allowed!: boolean;

  @List('Each way in which the user has the relation; empty when they do not.', AccessGrantResponse)
  readonly because!: readonly AccessGrantResponse[];

  @Nested('Where requests for the namespace go, whoever sends them; absent when nowhere.', ServedRouteResponse, {
    optional: true,
  })
  readonly route?: ServedRouteResponse;

  @Choice(
    'Why requests of the user would not be served now: the first of these that holds. Absent: they would. `unknown_user`, `inactive_user` and `suspended_binding` are told to admins of every namespace only; for others it is `weaker_relation` or `no_relation`.',
    HINDRANCES,
    { example: 'no_healthy_proxy', optional: true },
  )
  readonly reason?: Hindrance;
}

export class ReachableNamespaceResponse {
  @Text('Name of the namespace.', NAMESPACE)
  readonly namespace!: string;

  @Choice('The strongest that the user has.', RELATIONS, { example: 'write' })
  readonly relation!: Relation;

  @Text('The tenant that the namespace belongs to; absent when there is none that the caller may see.', {
    example: 'acme',
    optional: true,
  })
  readonly tenant_id?: string;

  @Text('Where requests go; absent when nowhere.', { example: 'premium', optional: true })
  readonly pool?: string;

  @Choice('What shares connections to a backend.', ISOLATION_LEVELS, { example: 'namespace', optional: true })
  readonly isolation_level?: IsolationLevel;
}

export class ReachableNamespacePage extends pageOf(ReachableNamespaceResponse, 'In order of name.') {}

export class TenantAdminResponse {
  @Text('Name of the namespace.', NAMESPACE)
  readonly namespace!: string;

  @Text('Full identifier of the user.', { example: USER.example })
  readonly user!: string;

  @Text('Their userName.', { example: 'ada@example.com' })
  readonly user_name!: string;
}

export class TenantAdminPage extends pageOf(TenantAdminResponse, 'In order of namespace, then of user.') {}
