import type { ExamplesObject } from '@nestjs/swagger';

/** The id of a token in the API pages. */
export const TOKEN_ID_EXAMPLE = '01a5b0c4-7d2e-7c31-9a44-2f6d0c1b9e57';

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
