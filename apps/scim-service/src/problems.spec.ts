import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { toProblem } from '@palisade/platform';
import { TOKEN_ERRORS } from './oauth/oauth.openapi.js';
import { CATALOGUE, PROBLEMS } from './problems.js';

const TABLES = readFileSync(join(import.meta.dirname, '../../../docs/status-codes.md'), 'utf8');

/** `sent when` of the table rows by code. */
const SENT_WHEN = new Map(
  [...TABLES.matchAll(/^\| \d{3} +\| `(\w+)` *\| (.*?) *\|/gm)].map(([, code = '', when = '']) => [code, when]),
);

describe('PROBLEMS', () => {
  it.each(Object.entries(PROBLEMS))(
    'answers an error of code %s with the status of the table',
    (code, [status, , error]) => {
      expect(toProblem(error, CATALOGUE.statuses).body).toMatchObject({ code, status });
    },
  );

  it.each(Object.entries({ ...PROBLEMS, ...TOKEN_ERRORS }))(
    'says of %s what docs/status-codes.md says',
    (code, [, when]) => {
      expect(when).toBe(SENT_WHEN.get(code));
    },
  );
});

describe('CATALOGUE', () => {
  it('gives each status one response, with an example for each problem', () => {
    const { 404: notFound, 409: conflict } = CATALOGUE.responses(
      'TOKEN_NOT_FOUND',
      'PROVIDER_NOT_FOUND',
      'TOKEN_ENDED',
    );
    expect(Object.keys(notFound?.content?.['application/problem+json']?.examples ?? {})).toEqual([
      'TOKEN_NOT_FOUND',
      'PROVIDER_NOT_FOUND',
    ]);
    expect(conflict?.content?.['application/problem+json']?.example).toMatchObject({
      status: 409,
      code: 'TOKEN_ENDED',
    });
  });

  it('names the headers that come with a problem', () => {
    expect(Object.keys(CATALOGUE.responses('STORE_UNAVAILABLE')['503']?.headers ?? {})).toEqual(['Retry-After']);
  });
});
