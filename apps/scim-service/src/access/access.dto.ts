import { ACCESS_DENIALS, RELATIONS, type AccessDenial, type Relation } from '@palisade/domain';
import { Choice, Flag, List, Name, Nested, PageParameters, Text, Texts, pageOf } from '@palisade/platform';
import { BindingResponse } from '../bindings/bindings.dto.js';

/** The longest full identifier, and then some. */
const MAX_REFERENCE_LENGTH = 350;

export class ProviderOfUser {
  @Name('Provider of the user; may be left out when the user is given by full identifier.', {
    optional: true,
    example: 'default',
  })
  readonly provider?: string;
}

export class CheckParameters extends ProviderOfUser {
  @Text('Full identifier or external id of the user.', {
    maxLength: MAX_REFERENCE_LENGTH,
    example: 'user:scim:default:ada',
  })
  readonly user!: string;

  @Name('Name of the namespace.', { example: 'orders' })
  readonly namespace!: string;

  @Choice('The relation in question; one that includes it answers as well.', RELATIONS, { default: 'read' })
  readonly relation: Relation = 'read';
}

export class NamespaceUsersParameters extends PageParameters {
  @Choice('Users with at least this relation.', RELATIONS, { default: 'read' })
  readonly relation: Relation = 'read';
}

export class GrantResponse {
  @Texts('From the group that the user is a direct member of up to the bound one.', {
    example: ['group:scim:default:backend', 'group:scim:default:eng'],
  })
  readonly groups!: readonly string[];

  @Nested('The binding that gives it.', BindingResponse)
  readonly binding!: BindingResponse;
}

export class CheckResponse {
  @Flag('Whether the user has the relation.', { example: true })
  readonly allowed!: boolean;

  @List('Each way in which they have it; empty when they do not.', GrantResponse)
  readonly explanation!: readonly GrantResponse[];

  @Choice(
    'Why they do not have it: there is no such user, they are inactive, the binding that would give it is suspended, they have less in this namespace, or nothing. Absent when they have it. `unknown_user`, `inactive_user` and `suspended_binding` are told to admins of every namespace only; for others it is `weaker_relation` or `no_relation`.',
    ACCESS_DENIALS,
    { optional: true, example: 'weaker_relation' },
  )
  readonly reason?: AccessDenial;
}

export class UserGrantsResponse {
  @List('Each way in which the user has some relation.', GrantResponse)
  readonly grants!: readonly GrantResponse[];
}

export class NamespaceUserResponse {
  @Text('Full identifier of the user.', { example: 'user:scim:default:ada' })
  readonly id!: string;

  @Text('Their userName.', { example: 'ada@example.com' })
  readonly user_name!: string;

  @Choice('The strongest that they have.', RELATIONS, { example: 'write' })
  readonly relation!: Relation;
}

export class NamespaceUserPage extends pageOf(NamespaceUserResponse, 'In order of id.') {}
