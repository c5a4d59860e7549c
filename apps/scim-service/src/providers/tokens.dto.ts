import { ApiProperty, ApiPropertyOptional, type ExamplesObject } from '@nestjs/swagger';
import { IsIn, IsInt, IsISO8601, Max, Min } from 'class-validator';
import type { ProviderToken } from '@palisade/domain';
import { IsText, MayBeAbsent } from '@palisade/platform';
import { TOKEN_ID_EXAMPLE } from './providers.errors.js';

export const ISSUE_TOKEN_EXAMPLES: ExamplesObject = {
  bearer: { summary: 'A bearer token', value: { description: 'Entra ID, production' } },
  client: {
    summary: 'An OAuth 2.0 client whose secret ends one day',
    value: { kind: 'client', description: 'Entra ID, production', expires_at: '2030-01-01T00:00:00Z' },
  },
};

export const ROTATE_TOKEN_EXAMPLES: ExamplesObject = {
  hour: { summary: 'The old one works for an hour more', value: {} },
  now: { summary: 'The old one ends now', value: { overlap_seconds: 0 } },
};

const KINDS = ['bearer', 'client'] as const satisfies readonly ProviderToken['kind'][];
/** Fields of a token as the API pages describe them, in bodies and in answers alike. */
const TOKEN_FIELDS = {
  description: { description: 'For people.', example: 'Entra ID, production' },
  kind: {
    description:
      '`bearer` is presented on SCIM requests, `client` at the token endpoint, as the secret of an OAuth 2.0 client.',
    enum: KINDS,
    example: 'bearer',
  },
  time: { format: 'date-time', example: '2026-11-20T08:30:00.000Z' },
} as const;

const DEFAULT_OVERLAP_SECONDS = 3600;
const MAX_OVERLAP_SECONDS = 30 * 24 * 3600;

class TokenEnd {
  @ApiPropertyOptional({
    description: 'When the token ends, with a time zone; never unless given.',
    format: 'date-time',
    example: '2030-01-01T00:00:00Z',
  })
  @MayBeAbsent()
  @IsISO8601({ strict: true, strictSeparator: true })
  readonly expires_at?: string;
}

export class IssueTokenBody extends TokenEnd {
  @ApiPropertyOptional(TOKEN_FIELDS.description)
  @MayBeAbsent()
  @IsText(200)
  readonly description?: string;

  @ApiPropertyOptional({ ...TOKEN_FIELDS.kind, default: 'bearer' })
  @MayBeAbsent()
  @IsIn(KINDS)
  readonly kind: ProviderToken['kind'] = 'bearer';
}

export class RotateTokenBody extends TokenEnd {
  @ApiPropertyOptional({
    description: 'How long the old token goes on working.',
    type: 'integer',
    default: DEFAULT_OVERLAP_SECONDS,
    minimum: 0,
    maximum: MAX_OVERLAP_SECONDS,
    example: DEFAULT_OVERLAP_SECONDS,
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(MAX_OVERLAP_SECONDS)
  readonly overlap_seconds: number = DEFAULT_OVERLAP_SECONDS;
}

export class TokenResponse {
  @ApiProperty({
    description: 'For kind `client`: the client id.',
    format: 'uuid',
    example: TOKEN_ID_EXAMPLE,
  })
  readonly id!: string;

  @ApiProperty(TOKEN_FIELDS.kind)
  readonly kind!: ProviderToken['kind'];

  @ApiPropertyOptional(TOKEN_FIELDS.description)
  readonly description?: string;

  @ApiProperty({ description: 'The last four characters of the secret.', example: 'x7Qk' })
  readonly hint!: string;

  @ApiProperty({
    description: 'Whether it can still be used.',
    enum: ['active', 'expired', 'revoked'],
    example: 'active',
  })
  readonly state!: string;

  @ApiProperty({ description: 'When it was issued.', ...TOKEN_FIELDS.time })
  readonly created_at!: string;

  @ApiPropertyOptional({ description: 'When it ends; absent for never.', ...TOKEN_FIELDS.time })
  readonly expires_at?: string;

  @ApiPropertyOptional({ description: 'When it was last presented, exact to a minute.', ...TOKEN_FIELDS.time })
  readonly last_used_at?: string;

  @ApiPropertyOptional({ description: 'When it was revoked.', ...TOKEN_FIELDS.time })
  readonly revoked_at?: string;
}

export class IssuedTokenResponse extends TokenResponse {
  @ApiProperty({
    description: 'Shown in this answer only.',
    example: 'pls_3q2-7wAAEjRWeJq83v8Qk1mZ5n0cX9uT4yR6sVbLx7Qk',
  })
  readonly secret!: string;
}

export class TokenList {
  @ApiProperty({ description: 'In order of creation.', type: [TokenResponse] })
  readonly items!: readonly TokenResponse[];
}
