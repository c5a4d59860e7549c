import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { renderVariables } from '@palisade/platform';
import { loadConfig } from './control-plane.config.js';
import { CONTROL_PLANE_VARIABLES } from './control-plane.variables.js';

const DOCUMENT = join(import.meta.dirname, '../../../../docs/configuration.md');

describe(loadConfig.name, () => {
  it('listens on port 8980 of every address by default', () => {
    expect(loadConfig({}).listen).toEqual({ host: '0.0.0.0', port: 8980 });
  });

  it('keeps its data apart from those of scim-service by default', () => {
    expect(loadConfig({ SVC_DATA_DIR: '/data' }).storeUrl).toBe('embedded:/data/postgres');
  });

  it.each([
    ['', 'SVC_STORE_URL: required in production'],
    ['memory:', 'SVC_STORE_URL: expected postgres://… or embedded:<directory> in production'],
  ])('stops production with the store %j', (SVC_STORE_URL, problem) => {
    expect(() => loadConfig({ NODE_ENV: 'production', SVC_STORE_URL })).toThrow(problem);
  });

  it('knows the issuer of tokens of admins and proxies', () => {
    const config = loadConfig({
      SVC_ADMIN_JWT_ISSUER: 'https://login.example.com',
      SVC_CONTROL_ADMIN_JWT_AUDIENCE: 'palisade',
      SVC_ADMIN_JWT_JWKS_URI: 'https://login.example.com/keys',
      SVC_CONTROL_PROXY_JWT_POOL_CLAIM: 'proxy_pool',
    });
    expect(config.adminJwt).toEqual({
      issuer: 'https://login.example.com',
      audience: 'palisade',
      jwksUri: 'https://login.example.com/keys',
      namespacesClaim: 'namespaces',
      identityClaim: 'email',
      proxyClaims: { poolClaim: 'proxy_pool', idPrefixClaim: 'id_prefix' },
    });
  });

  it.each(['', 'fifteen-letters'])('stops production without a strong admin token (%j)', (token) => {
    expect(() => loadConfig({ NODE_ENV: 'production', SVC_ADMIN_TOKEN: token })).toThrow(
      'SVC_ADMIN_TOKEN: required in production, with at least 16 characters',
    );
  });

  it('stops when the configuration file cannot be read', () => {
    expect(() => loadConfig({ SVC_CONTROL_CONFIG: '/does/not/exist.yaml' })).toThrow(
      'SVC_CONTROL_CONFIG: expected the path of a readable file, found "/does/not/exist.yaml"',
    );
  });

  it('leaves the variables of scim-service alone', () => {
    const variables = { SVC_SCIM_LISTEN: '0.0.0.0:9091', SVC_ADMIN_JWT_PROVIDERS_CLAIM: 'idps' };
    expect(loadConfig(variables).warnings).toEqual([]);
  });
});

describe('docs/configuration.md', () => {
  it('describes the variables as they are', () => {
    expect(readFileSync(DOCUMENT, 'utf8')).toContain(renderVariables(CONTROL_PLANE_VARIABLES));
  });
});
