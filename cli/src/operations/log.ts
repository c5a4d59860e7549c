import type { DocumentedOperation, OperationGroup } from './documented-operation.js';

const LIST = {
  method: 'GET',
  path: '/api/v1/log',
  query: { order: 'desc' },
  options: [
    {
      flags: '--since <time>',
      text: 'only what happened then or later: ISO 8601, or how long ago, such as 2h',
      field: 'since',
      kind: 'time',
    },
    { flags: '--until <time>', text: 'only what happened before', field: 'until', kind: 'time' },
    { flags: '--actor <id>', text: 'only what this person or credential did', field: 'user_id' },
    { flags: '--action <action>', text: 'only this action', field: 'action' },
    { flags: '--provider <id>', text: 'only what concerns this provider', field: 'provider' },
    { flags: '--tenant <id>', text: 'only what concerns this tenant', field: 'tenant_id' },
    { flags: '--namespace <name>', text: 'only what concerns this namespace', field: 'namespace' },
    { flags: '--after <position>', text: 'only what has a higher position', field: 'after', kind: 'number' },
    { flags: '--before <position>', text: 'only what has a lower position', field: 'before', kind: 'number' },
    { flags: '--limit <count>', text: 'at most so many', field: 'limit', kind: 'number' },
    { flags: '--order <order>', text: 'newest (default) or oldest first', field: 'order', choices: ['desc', 'asc'] },
  ],
  items: 'items',
  columns: ['position', 'timestamp', 'user_id', 'action', 'resource', 'result'],
  follows: { path: '/api/v1/log/follow', from: 'after', next: 'next_after' },
} as const;

/** The same as `log list`, as a word of its own. */
export const AUDIT: DocumentedOperation = {
  ...LIST,
  service: 'control-plane',
  name: 'audit',
  summary: 'Show who did what, the newest first. Needs an admin token.',
  example: 'audit --since 2h --actor ann@example.com --follow',
};

export const LOG: OperationGroup = {
  name: 'log',
  summary: 'Who did what. Needs an admin token.',
  operations: [
    {
      ...LIST,
      service: 'control-plane',
      name: 'list',
      summary: 'List what happened, as the control plane knows it, the newest first',
      example: 'log list --tenant acme --since 1d',
    },
    {
      ...LIST,
      service: 'scim-service',
      name: 'list-scim',
      summary: 'List what happened, as the SCIM service knows it: the same if both share a database',
      example: 'log list-scim --provider entra-eu',
    },
    {
      service: 'control-plane',
      name: 'seal',
      summary: 'Get a signed seal of the log, to be kept elsewhere',
      method: 'GET',
      path: '/api/v1/log/seal',
      example: 'log seal',
    },
    {
      service: 'control-plane',
      name: 'verify',
      summary: 'Verify that no record was changed, removed or inserted; ends with 1 when one was',
      method: 'GET',
      path: '/api/v1/log/verify',
      options: [{ flags: '--kept <signature>', text: 'signature of a seal that was kept', field: 'kept' }],
      mustBeTrue: 'valid',
      example: 'log verify',
    },
  ],
};
