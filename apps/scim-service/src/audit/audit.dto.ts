import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonObject } from '@palisade/domain';
import { IsText, LABEL, MayBeAbsent, SequencePageParameters } from '@palisade/platform';

export class AuditQueryParameters extends SequencePageParameters {
  @ApiPropertyOptional({ ...LABEL, description: 'Only what happened to this provider.', example: 'default' })
  @MayBeAbsent()
  @IsText(LABEL.maxLength)
  readonly provider?: string;

  @ApiPropertyOptional({ description: 'Only this action.', example: 'binding.add' })
  @MayBeAbsent()
  @IsText(100)
  readonly action?: string;
}

export class AuditEventResponse {
  @ApiProperty({ description: 'Increases from event to event, not always by one.', type: 'integer', example: 42 })
  readonly sequence!: number;

  @ApiProperty({ description: 'When it happened.', format: 'date-time', example: '2026-11-20T08:30:00.000Z' })
  readonly at!: string;

  @ApiProperty({ description: 'Who did it, as authenticated.', example: 'ann@example.com' })
  readonly actor!: string;

  @ApiProperty({ description: 'What was done.', example: 'binding.add' })
  readonly action!: string;

  @ApiProperty({ description: 'What it was done to.', example: 'namespace:orders#write@group:scim:default:eng' })
  readonly resource!: string;

  @ApiProperty({ description: 'What came of it.', enum: ['success', 'denied', 'failure'], example: 'success' })
  readonly result!: string;

  @ApiPropertyOptional({ description: 'The provider concerned.', example: 'default' })
  readonly provider?: string;

  @ApiPropertyOptional({ description: 'The namespace concerned.', example: 'orders' })
  readonly namespace?: string;

  @ApiPropertyOptional({ description: 'X-Request-Id of the request.', example: '7d9f3c52' })
  readonly request_id?: string;

  @ApiPropertyOptional({
    description: 'More about it, depending on the action; never secrets or values of attributes.',
    type: 'object',
    additionalProperties: true,
    example: { membersAdded: 1, membersRemoved: 0 },
  })
  readonly detail?: JsonObject;
}

export class AuditPage {
  @ApiProperty({ description: 'In order of sequence.', type: [AuditEventResponse] })
  readonly items!: readonly AuditEventResponse[];

  @ApiProperty({
    description: 'Where to read on: `after` of the next request, whether or not there is more now.',
    type: 'integer',
    example: 42,
  })
  readonly next_after!: number;
}
