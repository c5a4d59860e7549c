import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ACCESS_REFUSALS, RELATIONS, type AccessRefusal, type Relation } from '@palisade/domain';
import { ApiNextCursor, IsText, LABEL, MayBeAbsent, PageParameters } from '@palisade/platform';
import { IsIn } from 'class-validator';
import { BindingResponse } from '../bindings/bindings.dto.js';

/** The longest full identifier, and then some. */
const MAX_REFERENCE_LENGTH = 350;

export class ProviderOfUser {
  @ApiPropertyOptional({
    ...LABEL,
    description: 'Provider of the user; may be left out when the user is given by full identifier.',
    example: 'default',
  })
  @MayBeAbsent()
  @IsText(LABEL.maxLength)
  readonly provider?: string;
}

export class CheckParameters extends ProviderOfUser {
  @ApiProperty({ description: 'Full identifier or external id of the user.', example: 'user:scim:default:ada' })
  @IsText(MAX_REFERENCE_LENGTH)
  readonly user!: string;

  @ApiProperty({ ...LABEL, description: 'Name of the namespace.', example: 'orders' })
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

export class NamespaceUsersParameters extends PageParameters {
  @ApiPropertyOptional({ description: 'Users with at least this relation.', enum: RELATIONS, default: 'read' })
  @MayBeAbsent()
  @IsIn(RELATIONS)
  readonly relation: Relation = 'read';
}

export class GrantResponse {
  @ApiProperty({
    description: 'From the group that the user is a direct member of up to the bound one.',
    type: [String],
    example: ['group:scim:default:backend', 'group:scim:default:eng'],
  })
  readonly groups!: readonly string[];

  @ApiProperty({ description: 'The binding that gives it.' })
  readonly binding!: BindingResponse;
}

export class CheckResponse {
  @ApiProperty({ description: 'Whether the user has the relation.', example: true })
  readonly allowed!: boolean;

  @ApiProperty({ description: 'Each way in which they have it; empty when they do not.', type: [GrantResponse] })
  readonly explanation!: readonly GrantResponse[];

  @ApiPropertyOptional({
    description:
      'Why they do not have it: there is no such user, they are inactive, they have less in this namespace, or nothing. Absent when they have it. `unknown_user` and `inactive_user` are told to admins of every namespace only; for others it is `no_relation`.',
    enum: ACCESS_REFUSALS,
    example: 'weaker_relation',
  })
  readonly reason?: AccessRefusal;
}

export class UserGrantsResponse {
  @ApiProperty({ description: 'Each way in which the user has some relation.', type: [GrantResponse] })
  readonly grants!: readonly GrantResponse[];
}

export class NamespaceUserResponse {
  @ApiProperty({ description: 'Full identifier of the user.', example: 'user:scim:default:ada' })
  readonly id!: string;

  @ApiProperty({ description: 'Their userName.', example: 'ada@example.com' })
  readonly user_name!: string;

  @ApiProperty({ description: 'The strongest that they have.', enum: RELATIONS, example: 'write' })
  readonly relation!: Relation;
}

export class NamespaceUserPage {
  @ApiProperty({ description: 'In order of id.', type: [NamespaceUserResponse] })
  readonly items!: readonly NamespaceUserResponse[];

  @ApiNextCursor()
  readonly next_cursor?: string;
}
