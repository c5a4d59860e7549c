import type { ExamplesObject } from '@nestjs/swagger';
import { membershipLine, type StoredUser } from '@palisade/domain';
import { Flag, List, Text, Texts } from '@palisade/platform';
import { MAX_NAMESPACES, type AffectedMembership } from './deprovisioning.service.js';

export const RECONCILE_EXAMPLES: ExamplesObject = {
  report: { summary: 'Only report', value: {} },
  apply: { summary: 'Remove them as well', value: { apply: true } },
};

export class ReconcileBody {
  @Flag('Remove the memberships as well, in one transaction.', { default: false, example: false })
  readonly apply: boolean = false;
}

export class ReconcileItem {
  @Text('Full identifier of the user.', { example: 'user:scim:default:ada' })
  readonly user_id!: string;

  @Text('Their current externalId.', { optional: true, example: 'ada' })
  readonly external_id?: string;

  @Text('Their userName.', { example: 'ada@example.com' })
  readonly user_name!: string;

  @Text('Their displayName, or else their userName.', { example: 'Ada Lovelace' })
  readonly display!: string;

  @Text('Full identifier of the group.', { example: 'group:scim:default:eng' })
  readonly group_id!: string;

  @Text("The group's displayName.", { example: 'Engineers' })
  readonly group_display!: string;

  @Texts(
    `Namespaces that are bound to the group, or to one that contains it: where a reactivated user would have access again. At most ${MAX_NAMESPACES}.`,
    { example: ['orders'] },
  )
  readonly namespaces!: readonly string[];
}

export class ReconcileResponse {
  @Texts('`<group_display_name>:<user_external_id>` of each membership of an inactive user, sorted.', {
    example: ['Engineers:ada'],
  })
  readonly memberships!: readonly string[];

  @List('The same memberships in the same order, with what each consists of.', ReconcileItem)
  readonly items!: readonly ReconcileItem[];
}

export function toReconcileResponse(affected: readonly AffectedMembership[]): ReconcileResponse {
  const items = affected.map((membership) => ({
    user_id: membership.userId,
    ...(membership.externalId !== undefined && { external_id: membership.externalId }),
    user_name: membership.userName,
    display: membership.userDisplay,
    group_id: membership.groupId,
    group_display: membership.groupDisplay,
    namespaces: membership.namespaces,
  }));
  return { memberships: affected.map(membershipLine), items };
}

export class UserSummary {
  @Text('Full identifier of the user.', { example: 'user:scim:default:ada' })
  readonly id!: string;

  @Text('Their current externalId.', { optional: true, example: 'ada' })
  readonly external_id?: string;

  @Text('Their userName.', { example: 'ada@example.com' })
  readonly user_name!: string;

  @Flag('Always false now.', { example: false })
  readonly active!: boolean;
}

export function toUserSummary({ id, externalId, attributes }: StoredUser): UserSummary {
  return {
    id,
    external_id: externalId,
    user_name: String(attributes.userName),
    active: attributes.active !== false,
  };
}
