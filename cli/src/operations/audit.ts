import type { OperationGroup } from './documented-operation.js';
import type { OperationOption } from './operation.js';

const READ_ON = [
  { flags: '--after <sequence>', text: 'only what has a higher number', field: 'after', kind: 'number' },
  { flags: '--limit <count>', text: 'at most so many', field: 'limit', kind: 'number' },
  { flags: '--action <action>', text: 'only this action', field: 'action' },
] as const satisfies readonly OperationOption[];

export const AUDIT: OperationGroup = {
  name: 'audit',
  summary: 'Who did what. Needs a token of an admin.',
  operations: [
    {
      service: 'control-plane',
      name: 'list',
      summary: 'List what happened in the control plane',
      method: 'GET',
      path: '/api/v1/audit',
      options: [
        ...READ_ON,
        { flags: '--tenant <id>', text: 'only what concerns this tenant', field: 'tenant_id' },
        { flags: '--namespace <name>', text: 'only what concerns this namespace', field: 'namespace' },
      ],
      items: 'items',
      columns: ['sequence', 'timestamp', 'user_id', 'action', 'resource', 'result'],
      example: 'audit list --tenant acme',
    },
    {
      service: 'scim-service',
      name: 'list-scim',
      summary: 'List what happened in the SCIM service',
      method: 'GET',
      path: '/api/v1/audit',
      options: [...READ_ON, { flags: '--provider <id>', text: 'only what concerns this provider', field: 'provider' }],
      items: 'items',
      columns: ['sequence', 'at', 'actor', 'action', 'resource', 'result'],
      example: 'audit list-scim --provider entra-eu',
    },
    {
      service: 'control-plane',
      name: 'verify',
      summary: 'Verify that no record was changed, removed or inserted; ends with 1 when one was',
      method: 'GET',
      path: '/api/v1/audit/verify',
      mustBeTrue: 'valid',
      example: 'audit verify',
    },
  ],
};
