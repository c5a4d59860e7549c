/** Compiled by `npm run check -- types`, and never run: commands that the API documents do not have. */
import type { DocumentedOperation } from '../src/operations/documented-operation.js';

const TEXT = { name: 'a', summary: 'a', example: 'a' } as const;
const LIST = { ...TEXT, service: 'control-plane', method: 'GET', path: '/api/v1/tenants' } as const;
const REGISTER = { ...TEXT, service: 'control-plane', method: 'POST', path: '/api/v1/tenants' } as const;
const SHOW = { ...TEXT, service: 'control-plane', method: 'GET', path: '/api/v1/tenants/{tenant_id}' } as const;

export const ACCEPTED: readonly DocumentedOperation[] = [
  {
    ...LIST,
    options: [{ flags: '--limit', text: 'a', field: 'limit', kind: 'number' }],
    items: 'items',
    columns: ['tenant_id', 'routing.pools'],
  },
  { ...REGISTER, options: [{ flags: '--tier', text: 'a', field: 'tier', choices: ['premium'] }], body: { pool: 'a' } },
  { ...REGISTER, options: [{ flags: '--max-rps', text: 'a', field: 'resource_limits.max_rps', kind: 'number' }] },
  { ...SHOW, arguments: [{ name: 'tenant_id', text: 'a' }] },
];

export const REJECTED: readonly DocumentedOperation[] = [
  // @ts-expect-error: a path of the other service
  { ...TEXT, service: 'scim-service', method: 'GET', path: '/api/v1/tenants' },
  // @ts-expect-error: a path that has other methods only
  { ...TEXT, service: 'control-plane', method: 'PATCH', path: '/api/v1/tenants' },
  // @ts-expect-error: no such parameter of the path
  { ...SHOW, arguments: [{ name: 'id', text: 'a' }] },
  // @ts-expect-error: no such field
  { ...REGISTER, arguments: [{ name: 'id', text: 'a', field: 'id' }] },
  // @ts-expect-error: no such field
  { ...LIST, options: [{ flags: '--tier', text: 'a', field: 'tier' }] },
  // @ts-expect-error: a number
  { ...LIST, options: [{ flags: '--limit', text: 'a', field: 'limit' }] },
  // @ts-expect-error: a list
  { ...REGISTER, options: [{ flags: '--patterns', text: 'a', field: 'namespace_patterns' }] },
  // @ts-expect-error: no such choice
  { ...REGISTER, options: [{ flags: '--tier', text: 'a', field: 'tier', choices: ['gold'] }] },
  // @ts-expect-error: there are choices
  { ...REGISTER, options: [{ flags: '--tier', text: 'a', field: 'tier' }] },
  // @ts-expect-error: the command line has no objects
  { ...REGISTER, options: [{ flags: '--pools', text: 'a', field: 'connection_pools' }] },
  // @ts-expect-error: no such field of the object
  { ...REGISTER, options: [{ flags: '--disk', text: 'a', field: 'resource_limits.disk' }] },
  // @ts-expect-error: no such field
  { ...REGISTER, body: { draining: true } },
  // @ts-expect-error: no such field
  { ...LIST, query: { draining: true } },
  // @ts-expect-error: no list
  { ...LIST, items: 'next_cursor', columns: [] },
  // @ts-expect-error: no such field of what is listed
  { ...LIST, items: 'items', columns: ['id'] },
  // @ts-expect-error: no such field of the object
  { ...LIST, items: 'items', columns: ['routing.tier'] },
  // @ts-expect-error: neither true nor false
  { ...SHOW, mustBeTrue: 'tenant_id' },
  // @ts-expect-error: no such field
  { ...SHOW, headline: 'summary' },
];
