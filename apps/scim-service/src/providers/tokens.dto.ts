import type { ExamplesObject } from '@nestjs/swagger';
import type { ProviderToken } from '@palisade/domain';
import { Choice, Integer, List, Text, Time, type FieldOptions } from '@palisade/platform';
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
const STATES = ['active', 'expired', 'revoked'] as const;

const DEFAULT_OVERLAP_SECONDS = 3600;
const MAX_OVERLAP_SECONDS = 30 * 24 * 3600;

function Description(): PropertyDecorator {
  return Text('For people.', { maxLength: 200, optional: true, example: 'Entra ID, production' });
}

function Kind(options: FieldOptions<ProviderToken['kind']> = {}): PropertyDecorator {
  return Choice(
    '`bearer` is presented on SCIM requests, `client` at the token endpoint, as the secret of an OAuth 2.0 client.',
    KINDS,
    { example: 'bearer', ...options },
  );
}

class TokenEnd {
  @Time('When the token ends, with a time zone; never by default.', {
    optional: true,
    example: '2030-01-01T00:00:00Z',
  })
  readonly expires_at?: string;
}

export class IssueTokenBody extends TokenEnd {
  @Description()
  readonly description?: string;

  @Kind({ default: 'bearer' })
  readonly kind: ProviderToken['kind'] = 'bearer';
}

export class RotateTokenBody extends TokenEnd {
  @Integer('How long the old token goes on working.', {
    default: DEFAULT_OVERLAP_SECONDS,
    minimum: 0,
    maximum: MAX_OVERLAP_SECONDS,
    example: DEFAULT_OVERLAP_SECONDS,
  })
  readonly overlap_seconds: number = DEFAULT_OVERLAP_SECONDS;
}

export class TokenResponse {
  @Text('For kind `client`: the client id.', { format: 'uuid', example: TOKEN_ID_EXAMPLE })
  readonly id!: string;

  @Kind()
  readonly kind!: ProviderToken['kind'];

  @Description()
  readonly description?: string;

  @Text('The last four characters of the secret.', { example: 'x7Qk' })
  readonly hint!: string;

  @Choice('Whether it is still valid.', STATES, { example: 'active' })
  readonly state!: string;

  @Time('When it was issued.')
  readonly created_at!: string;

  @Time('When it ends; absent for never.', { optional: true })
  readonly expires_at?: string;

  @Time('When it was last presented, exact to a minute.', { optional: true })
  readonly last_used_at?: string;

  @Time('When it was revoked.', { optional: true })
  readonly revoked_at?: string;
}

export class IssuedTokenResponse extends TokenResponse {
  @Text('Shown in this answer only.', { example: 'pls_3q2-7wAAEjRWeJq83v8Qk1mZ5n0cX9uT4yR6sVbLx7Qk' })
  readonly secret!: string;
}

export class TokenList {
  @List('In order of creation.', TokenResponse)
  readonly items!: readonly TokenResponse[];
}
