import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
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
