import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { toProblem } from '@palisade/platform';
import { ADMIN_STATUSES } from '../admin/admin-statuses.js';
import { TOKEN_ERRORS } from './oauth-operations.js';
import { PROBLEMS, problemResponses } from './problems.js';

const TABLES = readFileSync(join(import.meta.dirname, '../../../../docs/status-codes.md'), 'utf8');

/** `sent when` of the table rows by code. */
const SENT_WHEN = new Map(
  [...TABLES.matchAll(/^\| \d{3} +\| `(\w+)` *\| (.*?) *\|/gm)].map(([, code = '', when = '']) => [code, when]),
);

describe('PROBLEMS', () => {
  it.each(Object.entries(PROBLEMS))('has an error of code %s', (code, [, error]) => {
    expect(toProblem(error, ADMIN_STATUSES).body.code).toBe(code);
  });

  it('has every code of the admin API', () => {
    expect(Object.keys(PROBLEMS)).toEqual(expect.arrayContaining(Object.keys(ADMIN_STATUSES)));
  });

  it.each(Object.entries({ ...PROBLEMS, ...TOKEN_ERRORS }))(
    'says of %s what docs/status-codes.md says',
    (code, [when]) => {
      expect(when).toBe(SENT_WHEN.get(code));
    },
  );
});

describe(problemResponses.name, () => {
  it('gives each status one response, with an example for each problem', () => {
    const { 404: notFound, 409: conflict } = problemResponses('TOKEN_NOT_FOUND', 'PROVIDER_NOT_FOUND', 'TOKEN_ENDED');
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
    expect(Object.keys(problemResponses('STORE_UNAVAILABLE')['503']?.headers ?? {})).toEqual(['Retry-After']);
  });
});
