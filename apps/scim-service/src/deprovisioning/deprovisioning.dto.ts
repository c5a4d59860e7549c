import { ApiProperty, ApiPropertyOptional, type ExamplesObject } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import type { StoredUser } from '@palisade/domain';
import { MayBeAbsent } from '@palisade/platform';

export class ReconcileBody {
  @ApiPropertyOptional({
    description: 'Remove the memberships as well, in one transaction.',
    default: false,
    example: false,
  })
  @MayBeAbsent()
  @IsBoolean()
  readonly apply: boolean = false;
}

export class ReconcileResponse {
  @ApiProperty({
    description: '`<group_display_name>:<user_external_id>` of each membership of an inactive user, sorted.',
    type: [String],
    example: ['Engineers:ada'],
  })
  readonly memberships!: readonly string[];
}

export class UserSummary {
  @ApiProperty({ description: 'Full identifier of the user.', example: 'user:scim:default:ada' })
  readonly id!: string;

  @ApiPropertyOptional({ description: 'Their current externalId.', example: 'ada' })
  readonly external_id?: string;

  @ApiProperty({ description: 'Their userName.', example: 'ada@example.com' })
  readonly user_name!: string;

  @ApiProperty({ description: 'Always false now.', example: false })
  readonly active!: boolean;
}

export const RECONCILE_EXAMPLES: ExamplesObject = {
  report: { summary: 'Only report', value: {} },
  apply: { summary: 'Remove them as well', value: { apply: true } },
};

export function toUserSummary({ id, externalId, attributes }: StoredUser): UserSummary {
  return {
    id,
    external_id: externalId,
    user_name: String(attributes.userName),
    active: attributes.active !== false,
  };
}
