import { describe, expect, it } from '@jest/globals';
import { COMMON_VARIABLES, strongTokenInProduction } from './common-variables.js';
import { loadVariables, type Environment } from './load-variables.js';

const rules = [strongTokenInProduction(COMMON_VARIABLES, 'adminToken')];
const load = (environment: Environment) => loadVariables(COMMON_VARIABLES, environment, { rules });

describe(strongTokenInProduction.name, () => {
  it.each([
    ['is missing', {}],
    ['has 15 characters', { SVC_ADMIN_TOKEN: 'x'.repeat(15) }],
  ])('stops production when the token %s', (_, environment) => {
    expect(() => load({ NODE_ENV: 'production', ...environment })).toThrow(
      'SVC_ADMIN_TOKEN: required in production, with at least 16 characters',
    );
  });

  it('lets production run with 16 characters', () => {
    expect(load({ NODE_ENV: 'production', SVC_ADMIN_TOKEN: 'x'.repeat(16) }).mode).toBe('production');
  });

  it('lets development run without a token', () => {
    expect(load({}).adminToken).toBeUndefined();
  });
});

describe('COMMON_VARIABLES', () => {
  it('reject an unknown mode, so that "prod" does not run as development', () => {
    expect(() => load({ NODE_ENV: 'prod' })).toThrow('NODE_ENV: expected one of');
  });
});
