import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  CODE_BY_STATUS,
  COMMON_STATUSES,
  INTERNAL_ERROR_CODE,
  INVALID_JSON_CODE,
  VALIDATION_FAILED_CODE,
} from '@palisade/platform';
import { CATALOGUE } from './problems.js';

const ROOT = join(import.meta.dirname, '../../..');
const [, scimPart = '', problemPart = '', tokenPart = ''] = readFileSync(
  join(ROOT, 'docs/status-codes.md'),
  'utf8',
).split(/^## /m);

/** `status code` of each row of a table. */
function rows(part: string): string[] {
  return [...part.matchAll(/^\| (\d{3}) +\| (?:`(\w+)`)? *\|/gm)].map(([, status, code = '']) =>
    `${status} ${code}`.trim(),
  );
}

function sentProblems(): string[] {
  const byStatus = Object.entries(CODE_BY_STATUS).map(([status, code]) => `${status} ${code}`);
  const byCode = Object.entries({ ...COMMON_STATUSES, ...CATALOGUE.statuses }).map(
    ([code, status]) => `${status} ${code}`,
  );
  const others = [`500 ${INTERNAL_ERROR_CODE}`, `400 ${INVALID_JSON_CODE}`, `400 ${VALIDATION_FAILED_CODE}`];
  return [...new Set([...byStatus, ...byCode, ...others])];
}

/** Every `badRequest('<type>', …)` and `new ScimError(<status>, '<type>'|undefined, …)` of the sources. */
function sentRejections(): Set<string> {
  const folders = ['libs/scim/src', 'apps/scim-service/src'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
  );
  const text = files.join('\n');
  const bad = [...text.matchAll(/badRequest\(\s*'(\w+)'/g)].map(([, type]) => `400 ${type}`);
  const errors = [...text.matchAll(/new ScimError\(\s*(\d{3}),\s*(?:'(\w+)'|undefined)/g)].map(
    ([, status, type = '']) => `${status} ${type}`.trim(),
  );
  return new Set([...bad, ...errors]);
}

describe('docs/status-codes.md', () => {
  it('has every code of problem details, and no others', () => {
    expect(rows(problemPart).toSorted()).toEqual(sentProblems().toSorted());
  });

  it('has every error of the token endpoint, and no others', () => {
    const source = readFileSync(join(ROOT, 'apps/scim-service/src/oauth/oauth.errors.ts'), 'utf8');
    const sent = new Set([...source.matchAll(/'([a-z]+(?:_[a-z]+)+)'/g)].map(([, code]) => code));
    expect(sent.size).toBeGreaterThan(2);
    expect(new Set(rows(tokenPart).map((row) => row.split(' ')[1]))).toEqual(sent);
  });

  it('has every rejection that the SCIM sources write down', () => {
    const sent = sentRejections();
    expect(sent.size).toBeGreaterThan(10);
    expect([...sent.difference(new Set(rows(scimPart)))]).toEqual([]);
  });
});
