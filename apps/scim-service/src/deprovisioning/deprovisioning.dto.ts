import type { ExamplesObject } from '@nestjs/swagger';
import type { StoredUser } from '@palisade/domain';
import { Flag, Text, Texts } from '@palisade/platform';

export const RECONCILE_EXAMPLES: ExamplesObject = {
  report: { summary: 'Only report', value: {} },
  apply: { summary: 'Remove them as well', value: { apply: true } },
};

export class ReconcileBody {
  @Flag('Remove the memberships as well, in one transaction.', { default: false, example: false })
  readonly apply: boolean = false;
}

export class ReconcileResponse {
  @Texts('`<group_display_name>:<user_external_id>` of each membership of an inactive user, sorted.', {
    example: ['Engineers:ada'],
  })
  readonly memberships!: readonly string[];
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
