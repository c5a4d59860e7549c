import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { toProblem } from '@palisade/platform';
import { CATALOGUE, PROBLEMS } from './problems.js';

const PARTS = readFileSync(join(import.meta.dirname, '../../../docs/status-codes.md'), 'utf8').split(/^## /m);

/** Status and `sent when` by code, of the table in the part with this title. */
function tableOf(title: string): Map<string, readonly [status: number, when: string]> {
  const part = PARTS.find((each) => each.startsWith(`${title}\n`)) ?? '';
  const rows = part.matchAll(/^\| (\d{3}) +\| `(\w+)` *\| (.*?) *\|/gm);
  return new Map([...rows].map(([, status, code = '', when = '']) => [code, [Number(status), when]]));
}

const SHARED = tableOf('Problem details');
const OWN = tableOf('Control plane');

describe('PROBLEMS', () => {
  it.each(Object.entries(PROBLEMS))(
    'answers an error of code %s with the status of the table',
    (code, [status, , error]) => {
      expect(toProblem(error, CATALOGUE.statuses).body).toMatchObject({ code, status });
    },
  );
});

describe('docs/status-codes.md', () => {
  it('lists the codes that only the control plane has, with status and reason', () => {
    const expected = Object.entries(PROBLEMS)
      .filter(([code]) => !SHARED.has(code))
      .map(([code, [status, when]]) => [code, [status, when]]);
    expect(Object.fromEntries(OWN)).toEqual(Object.fromEntries(expected));
  });

  it('gives the codes of both services the status that the control plane sends', () => {
    for (const [code, [status]] of Object.entries(PROBLEMS).filter(([each]) => SHARED.has(each))) {
      expect([code, SHARED.get(code)?.[0]]).toEqual([code, status]);
    }
  });
});

describe('the catalogue', () => {
  it('gives each status one response, with an example for each problem', () => {
    const { 400: badRequest, 409: conflict } = CATALOGUE.responses('UNKNOWN_POOL', 'POOL_REQUIRED', 'SINGLE_TENANT');
    expect(Object.keys(badRequest?.content?.['application/problem+json']?.examples ?? {})).toEqual([
      'UNKNOWN_POOL',
      'POOL_REQUIRED',
    ]);
    expect(conflict?.content?.['application/problem+json']?.example).toMatchObject({
      status: 409,
      code: 'SINGLE_TENANT',
    });
  });
});
