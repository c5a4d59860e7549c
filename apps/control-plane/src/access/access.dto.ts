import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ACCESS_REFUSALS, ISOLATION_LEVELS, RELATIONS, type IsolationLevel, type Relation } from '@palisade/domain';
import { ApiNextCursor, IsText, LABEL, MayBeAbsent, PageParameters } from '@palisade/platform';
import { IsIn } from 'class-validator';
import { RouteResponse } from '../routing/routing.dto.js';
import { HealthyProxyResponse } from '../tenants/tenants.dto.js';

/** The longest full identifier, and then some. */
const MAX_REFERENCE_LENGTH = 350;
const USER = { description: 'Full identifier of the user.', example: 'user:scim:default:ada' } as const;
const NAMESPACE = { description: 'Name of the namespace.', example: 'acme-orders' } as const;

/** What keeps requests of the user from being served, in this order. */
export const HINDRANCES = [...ACCESS_REFUSALS, 'no_route', 'no_healthy_proxy'] as const;
export type Hindrance = (typeof HINDRANCES)[number];

export class AccessRouteParameters {
  @ApiProperty({ ...USER, maxLength: MAX_REFERENCE_LENGTH })
  @IsText(MAX_REFERENCE_LENGTH)
  readonly user!: string;

  @ApiProperty({ ...NAMESPACE, ...LABEL })
  @IsText(LABEL.maxLength)
  readonly namespace!: string;

  @ApiPropertyOptional({
    description: 'The relation in question; one that includes it answers as well.',
    enum: RELATIONS,
    default: 'read',
  })
  @MayBeAbsent()
  @IsIn(RELATIONS)
  readonly relation: Relation = 'read';
}

export class ReachableNamespacesParameters extends PageParameters {
  @ApiProperty({ ...USER, maxLength: MAX_REFERENCE_LENGTH })
  @IsText(MAX_REFERENCE_LENGTH)
  readonly user!: string;
}

export class GrantBindingResponse {
  @ApiProperty(NAMESPACE)
  readonly namespace!: string;

  @ApiProperty({ description: 'The group that is bound.', example: 'group:scim:default:eng' })
  readonly bound_subject!: string;

  @ApiProperty({ description: 'What it gives.', enum: RELATIONS, example: 'write' })
  readonly relation!: Relation;

  @ApiProperty({ description: 'Who approved it.', example: 'ann@example.com' })
  readonly approved_by!: string;
}

export class AccessGrantResponse {
  @ApiProperty(USER)
  readonly user!: string;

  @ApiProperty({
    description: 'From the group that the user is a direct member of up to the bound one.',
    type: [String],
    example: ['group:scim:default:backend', 'group:scim:default:eng'],
  })
  readonly groups!: readonly string[];

  @ApiProperty({ description: 'The binding that gives it.', type: GrantBindingResponse })
  readonly binding!: GrantBindingResponse;
}

export class ServedRouteResponse extends RouteResponse {
  @ApiProperty({ description: 'Proxies of the pool that take requests.', type: [HealthyProxyResponse] })
  readonly healthy_proxies!: readonly HealthyProxyResponse[];
}

export class AccessRouteResponse {
  @ApiProperty({ description: 'Whether the user has the relation, and the namespace a route.', example: true })
  readonly allowed!: boolean;

  @ApiProperty({
    description: 'Each way in which the user has the relation; empty when they do not.',
    type: [AccessGrantResponse],
  })
  readonly because!: readonly AccessGrantResponse[];

  @ApiPropertyOptional({
    description: 'Where requests for the namespace go, whoever sends them; absent when nowhere.',
    type: ServedRouteResponse,
  })
  readonly route?: ServedRouteResponse;

  @ApiPropertyOptional({
    description:
      'Why requests of the user would not be served now: the first of these that holds. Absent: they would. `unknown_user` and `inactive_user` are told to admins of every namespace only; for others it is `no_relation`.',
    enum: HINDRANCES,
    example: 'no_healthy_proxy',
  })
  readonly reason?: Hindrance;
}

export class ReachableNamespaceResponse {
  @ApiProperty(NAMESPACE)
  readonly namespace!: string;

  @ApiProperty({ description: 'The strongest that the user has.', enum: RELATIONS, example: 'write' })
  readonly relation!: Relation;

  @ApiPropertyOptional({ description: 'The tenant that the namespace belongs to.', example: 'acme' })
  readonly tenant_id?: string;

  @ApiPropertyOptional({ description: 'Where requests go; absent when nowhere.', example: 'premium' })
  readonly pool?: string;

  @ApiPropertyOptional({
    description: 'What shares connections to a backend.',
    enum: ISOLATION_LEVELS,
    example: 'namespace',
  })
  readonly isolation_level?: IsolationLevel;
}

export class ReachableNamespacePage {
  @ApiProperty({ description: 'In order of name.', type: [ReachableNamespaceResponse] })
  readonly items!: readonly ReachableNamespaceResponse[];

  @ApiNextCursor()
  readonly next_cursor?: string;
}

export class TenantAdminResponse {
  @ApiProperty(NAMESPACE)
  readonly namespace!: string;

  @ApiProperty(USER)
  readonly user!: string;

  @ApiProperty({ description: 'Their userName.', example: 'ada@example.com' })
  readonly user_name!: string;
}

export class TenantAdminPage {
  @ApiProperty({ description: 'In order of namespace, then of user.', type: [TenantAdminResponse] })
  readonly items!: readonly TenantAdminResponse[];

  @ApiNextCursor()
  readonly next_cursor?: string;
}
