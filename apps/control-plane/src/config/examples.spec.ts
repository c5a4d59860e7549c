import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { dump } from 'js-yaml';
import { configurationSchema } from './reference.js';
import { readSettings } from './read-settings.js';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const NAMES = ['single-tenant', 'multi-tenant', 'hybrid-a', 'hybrid-b'];
const pathOf = (name: string): string => join(EXAMPLES, `${name}.yaml`);

describe.each(NAMES)('examples/%s.yaml', (name) => {
  const text = readFileSync(pathOf(name), 'utf8');

  it('has neither problems nor warnings', () => {
    const { problems, warnings } = readSettings(text, name);
    expect([problems, warnings]).toEqual([[], []]);
  });

  it('is what its schema describes', () => {
    const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(configurationSchema());
    expect([validate(parse(text)), validate.errors]).toEqual([true, null]);
  });

  it('means the same when it is printed with all defaults', () => {
    const { complete } = readSettings(text, name);
    const printed = readSettings(dump(complete?.(), { noRefs: true }), name);
    expect([printed.problems, printed.settings]).toEqual([[], readSettings(text, name).settings]);
  });

  it('tells an editor where its schema is', () => {
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/control-plane\.schema\.json\n/);
  });
});

describe('hybrid examples', () => {
  it('route as example A says', () => {
    expect(readSettings(readFileSync(pathOf('hybrid-a'), 'utf8'), 'a').settings?.routing.rules).toMatchObject([
      {
        match: { tier: 'enterprise', annualRevenue: { operator: '>', amount: 100_000 } },
        action: { deployment: 'single_tenant', pool: 'dedicated' },
      },
      {
        match: { tier: 'premium' },
        action: { deployment: 'multi_tenant', pool: 'premium', isolationLevel: 'session' },
      },
      {
        match: { tier: 'standard' },
        action: { deployment: 'multi_tenant', pool: 'standard', isolationLevel: 'namespace' },
      },
    ]);
  });

  it('route as example B says', () => {
    expect(readSettings(readFileSync(pathOf('hybrid-b'), 'utf8'), 'b').settings?.routing.rules).toMatchObject([
      {
        match: { tier: 'enterprise', contracts: ['healthcare-a', 'finance-b'] },
        action: { deployment: 'single_tenant', isolationLevel: 'session' },
      },
      {
        match: { tier: 'premium', annualRevenue: { operator: '>', amount: 10_000 } },
        action: {
          pool: 'premium',
          isolationLevel: 'namespace',
          connectionPools: { redis: { connectionsPerNamespace: 20 } },
        },
      },
      {
        match: { tier: 'standard' },
        action: {
          pool: 'standard',
          isolationLevel: 'namespace',
          connectionPools: { redis: { connectionsPerNamespace: 5 } },
        },
      },
    ]);
  });
});
