import { describe, expect, it } from '@jest/globals';
import { scrubbedPath } from './scrubbed-path.js';

describe(scrubbedPath.name, () => {
  it.each([
    ['/api/v1/tenants/:tenant_id/admins', { tenant_id: 'acme' }, '/api/v1/tenants/acme/admins'],
    [
      '/api/v1/access/namespaces/:namespace/users',
      { namespace: 'acme-prod' },
      '/api/v1/access/namespaces/acme-prod/users',
    ],
    ['/api/v1/pools/:name', { name: 'premium' }, '/api/v1/pools/premium'],
  ])('shows what the deployment has named in %s', (route, parameters, path) => {
    expect(scrubbedPath(route, parameters)).toBe(path);
  });

  it.each([
    ['/scim/v2/Users/:id', { id: 'ada' }],
    ['/api/v1/access/users/:user', { user: 'user:scim:okta:ada' }],
    ['/api/v1/providers/:id/tokens/:token', { id: 'okta', token: 't-1' }],
    ['/api/v1/tenants/:tenant_id', { tenant_id: 'ada@example.com' }],
    ['/api/v1/tenants/:tenant_id', {}],
  ])('leaves %s as it is for %j', (route, parameters) => {
    expect(scrubbedPath(route, parameters)).toBe(route);
  });
});
