import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PRODUCT_VERSION } from '@palisade/platform';
import { parse } from 'yaml';
import { readAdvisories } from '../scripts/lib/advisories.mjs';
import { isAllowedLicence, productionLicences } from '../scripts/lib/licences.mjs';

const ROOT = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };

describe('the version of package.json', () => {
  it('is that of the chart and of what it installs', () => {
    const chart: unknown = parse(readFileSync(join(ROOT, 'deploy/helm/palisade/Chart.yaml'), 'utf8'));
    expect(chart).toMatchObject({ version, appVersion: version });
  });

  it('is the one that services run with', () => {
    expect(PRODUCT_VERSION).toBe(version);
  });

  it('is that of the lockfile', () => {
    const lockfile: unknown = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    expect(lockfile).toMatchObject({ version, packages: { '': { version } } });
  });
});

describe(isAllowedLicence.name, () => {
  it.each(['MIT', '(MIT OR GPL-3.0-only)', 'MIT AND ISC', '(GPL-3.0-only AND MIT) OR BSD-3-Clause'])(
    'accepts %s',
    (expression) => expect(isAllowedLicence(expression)).toBe(true),
  );

  it.each([
    undefined,
    '',
    'GPL-3.0-only',
    'SEE LICENSE IN LICENSE',
    'UNLICENSED',
    'MIT AND GPL-3.0-only',
    '(MIT OR ISC) AND AGPL-3.0-only',
    'MIT OR',
    '(MIT',
    'MIT)',
    'MIT ISC',
    'Apache-2.0 WITH Commons-Clause',
    'MIT, GPL-3.0-only',
  ])('does not accept %s', (expression) => expect(isAllowedLicence(expression)).toBe(false));
});

describe(productionLicences.name, () => {
  it('finds the licence of a direct and of a transitive dependency, and none of development', () => {
    const licences = new Map(productionLicences(ROOT).map(({ name, licence }) => [name, licence]));
    expect(licences.get('kysely')).toBe('MIT');
    expect(licences.get('pg-protocol')).toBe('MIT');
    expect(licences.has('jest')).toBe(false);
  });
});

describe(readAdvisories.name, () => {
  const report = (vulnerabilities: object): string => JSON.stringify({ auditReportVersion: 2, vulnerabilities });
  const via = [{ title: 'Reads too much', url: 'https://example.com/advisory' }];

  it('finds those of severity high and critical', () => {
    const vulnerabilities = {
      a: { name: 'a', severity: 'critical', range: '<2', via },
      b: { name: 'b', severity: 'high', range: '*', via: ['a'] },
      c: { name: 'c', severity: 'moderate', range: '<1', via },
    };
    expect(readAdvisories(report(vulnerabilities))).toEqual({
      found: ['a <2 (critical): Reads too much https://example.com/advisory', 'b * (high): through a'],
    });
  });

  it('finds nothing in a report without any', () => {
    expect(readAdvisories(report({}))).toEqual({ found: [] });
  });

  it.each([
    ['', 'no report'],
    ['{}', 'no report'],
    ['null', 'no report'],
    ['<html>', 'no report'],
    ['{"auditReportVersion":2,"vulnerabilities":null}', 'no report'],
    ['{"message":"405 Method Not Allowed"}', '405 Method Not Allowed'],
    ['{"message":"","error":{"summary":"ENOTFOUND"}}', 'ENOTFOUND'],
  ])('does not take %j for an answer', (output, unanswered) => {
    expect(readAdvisories(output)).toEqual({ unanswered });
  });
});
