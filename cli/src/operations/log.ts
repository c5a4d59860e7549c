import type { OperationGroup } from './documented-operation.js';
import type { OperationOption } from './operation.js';

const SELECTION = [
  { flags: '--after <position>', text: 'only what has a higher position', field: 'after', kind: 'number' },
  { flags: '--limit <count>', text: 'at most so many', field: 'limit', kind: 'number' },
  { flags: '--since <time>', text: 'only what happened then or later (ISO 8601)', field: 'since' },
  { flags: '--until <time>', text: 'only what happened before (ISO 8601)', field: 'until' },
  { flags: '--user <id>', text: 'only what this person or credential did', field: 'user_id' },
  { flags: '--action <action>', text: 'only this action', field: 'action' },
  { flags: '--provider <id>', text: 'only what concerns this provider', field: 'provider' },
  { flags: '--tenant <id>', text: 'only what concerns this tenant', field: 'tenant_id' },
  { flags: '--namespace <name>', text: 'only what concerns this namespace', field: 'namespace' },
] as const satisfies readonly OperationOption[];

const LIST_OPTIONS = [
  ...SELECTION,
  { flags: '--before <position>', text: 'only what has a lower position', field: 'before', kind: 'number' },
  { flags: '--order <order>', text: 'oldest or newest first', field: 'order', choices: ['asc', 'desc'] },
] as const satisfies readonly OperationOption[];

const COLUMNS = ['position', 'timestamp', 'user_id', 'action', 'resource', 'result'] as const;

export const LOG: OperationGroup = {
  name: 'log',
  summary: 'Who did what. Needs a token of an admin.',
  operations: [
    {
      service: 'control-plane',
      name: 'list',
      summary: 'List what happened, as the control plane knows it',
      method: 'GET',
      path: '/api/v1/log',
      options: LIST_OPTIONS,
      items: 'items',
      columns: COLUMNS,
      example: 'log list --tenant acme --order desc',
    },
    {
      service: 'scim-service',
      name: 'list-scim',
      summary: 'List what happened, as the SCIM service knows it: the same if both share a database',
      method: 'GET',
      path: '/api/v1/log',
      options: LIST_OPTIONS,
      items: 'items',
      columns: COLUMNS,
      example: 'log list-scim --provider entra-eu',
    },
    {
      service: 'control-plane',
      name: 'follow',
      summary: 'List new records as they come, until interrupted; earlier ones too, with --after',
      method: 'GET',
      path: '/api/v1/log/follow',
      options: SELECTION,
      items: 'items',
      columns: COLUMNS,
      follows: { from: 'after', next: 'next_after', newest: '/api/v1/log' },
      example: 'log follow --tenant acme',
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
