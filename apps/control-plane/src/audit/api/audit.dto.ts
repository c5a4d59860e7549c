import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ActionRecord } from '@palisade/domain';
import { IsText, LABEL, MayBeAbsent, SequencePageParameters } from '@palisade/platform';

const HASH = { minLength: 64, maxLength: 64, pattern: '^[0-9a-f]{64}$' } as const;
const HASH_EXAMPLE = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export class AuditQueryParameters extends SequencePageParameters {
  @ApiPropertyOptional({ ...LABEL, description: 'Only what concerns this tenant.', example: 'acme' })
  @MayBeAbsent()
  @IsText(LABEL.maxLength)
  readonly tenant_id?: string;

  @ApiPropertyOptional({ ...LABEL, description: 'Only what concerns this namespace.', example: 'acme-orders' })
  @MayBeAbsent()
  @IsText(LABEL.maxLength)
  readonly namespace?: string;

  @ApiPropertyOptional({ description: 'Only this action.', example: 'tenant.register' })
  @MayBeAbsent()
  @IsText(100)
  readonly action?: string;
}

export class ActionRecordResponse {
  @ApiProperty({ description: 'From 1, without gaps.', type: 'integer', example: 42 })
  readonly sequence!: number;

  @ApiProperty({ description: 'When it happened.', format: 'date-time', example: '2026-11-20T08:30:00.000Z' })
  readonly timestamp!: string;

  @ApiPropertyOptional({ description: 'The tenant concerned.', example: 'acme' })
  readonly tenant_id?: string;

  @ApiPropertyOptional({ description: 'The namespace concerned, if it is one.', example: 'acme-orders' })
  readonly namespace?: string;

  @ApiPropertyOptional({
    description: 'The session in which it happened.',
    format: 'uuid',
    example: '0199a3c4-7d9f-7000-8000-3c5200000000',
  })
  readonly session_id?: string;

  @ApiProperty({ description: 'Who did it, as authenticated.', example: 'ann@example.com' })
  readonly user_id!: string;

  @ApiProperty({ description: 'What was done.', example: 'tenant.register' })
  readonly action!: string;

  @ApiProperty({ description: 'What it was done to.', example: 'tenant:acme' })
  readonly resource!: string;

  @ApiProperty({ description: 'What came of it.', enum: ['success', 'denied', 'failure'], example: 'success' })
  readonly result!: string;

  @ApiPropertyOptional({ description: 'Rows that were read or written.', type: 'integer', example: 3 })
  readonly rows_accessed?: number;

  @ApiPropertyOptional({ description: 'Whether personal data was among it.', example: false })
  readonly pii_accessed?: boolean;

  @ApiPropertyOptional({
    description: 'More about it, depending on the action; never secrets.',
    type: 'object',
    additionalProperties: true,
    example: { source: 'api', version: 1, patterns: 'acme-*', patternCount: 1, pool: 'premium' },
  })
  readonly detail?: ActionRecord['detail'];

  @ApiProperty({
    ...HASH,
    description: '`hash` of the record before; 64 zeros for the first.',
    example: '0'.repeat(64),
  })
  readonly previous_hash!: string;

  @ApiProperty({
    ...HASH,
    description: 'SHA-256 over `previous_hash` and the other fields as JSON in the canonical form of RFC 8785.',
    example: HASH_EXAMPLE,
  })
  readonly hash!: string;
}

export class AuditPage {
  @ApiProperty({ description: 'In order of sequence.', type: [ActionRecordResponse] })
  readonly items!: readonly ActionRecordResponse[];

  @ApiProperty({
    description: 'Where to read on: `after` of the next request, whether or not there is more now.',
    type: 'integer',
    example: 42,
  })
  readonly next_after!: number;
}

export class ChainVerificationResponse {
  @ApiProperty({ description: 'Whether every record is as it was written and none is missing.', example: true })
  readonly valid!: boolean;

  @ApiProperty({ description: 'Records that are: all, or those before the break.', type: 'integer', example: 42 })
  readonly records!: number;

  @ApiProperty({ description: 'Sequence of the first record there should be.', type: 'integer', example: 1 })
  readonly first!: number;

  @ApiProperty({ description: 'Of the last; `first` - 1 when there are none.', type: 'integer', example: 42 })
  readonly last!: number;

  @ApiPropertyOptional({ description: 'The first sequence that is not as it was.', type: 'integer', example: 17 })
  readonly broken_at?: number;

  @ApiPropertyOptional({
    description:
      '`sequence`: a record is missing or came in between; `previous_hash`: it does not follow on the one before; ' +
      '`hash`: it was changed.',
    enum: ['sequence', 'previous_hash', 'hash'],
    example: 'hash',
  })
  readonly reason?: string;
}
