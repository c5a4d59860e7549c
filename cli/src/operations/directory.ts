import { dataOf } from '@palisade/client';
import type { ApiClient } from '../command/api-client.js';
import type { OperationGroup } from './documented-operation.js';
import type { OperationOption } from './operation.js';

const SHARED = { service: 'scim-service', credential: 'provider' } as const;

const LIST_OPTIONS = [
  { flags: '--filter <filter>', text: 'filter expression as in RFC 7644', field: 'filter' },
  { flags: '--sort-by <attribute>', text: 'attribute to sort by', field: 'sortBy' },
  { flags: '--limit <count>', text: 'maximum number of items', field: 'count', kind: 'number' },
  {
    flags: '--start <index>',
    text: 'index of the first item to show, starting at 1',
    field: 'startIndex',
    kind: 'number',
  },
] as const satisfies readonly OperationOption[];

export const USERS: OperationGroup = {
  name: 'user',
  summary: 'Users of an identity provider.',
  operations: [
    {
      ...SHARED,
      name: 'list',
      summary: 'List users. Needs a provider token.',
      method: 'GET',
      path: '/scim/v2/Users',
      options: LIST_OPTIONS,
      items: 'Resources',
      columns: ['id', 'userName', 'displayName', 'active'],
      example: `user list --filter 'userName sw "ann"'`,
    },
    {
      ...SHARED,
      name: 'show',
      summary: 'Show a user. Needs a provider token.',
      method: 'GET',
      path: '/scim/v2/Users/{id}',
      arguments: [{ name: 'id', text: 'full identifier, external ID, e-mail address or name', names: 'user' }],
      example: 'user show ann',
    },
    {
      service: 'scim-service',
      name: 'deactivate',
      summary: 'Deactivate a user: bindings and memberships stay, but no longer grant anything. Needs an admin token.',
      method: 'POST',
      path: '/api/v1/providers/{provider}/users/{user}/deactivate',
      arguments: [
        { name: 'provider', text: 'id of the provider' },
        { name: 'user', text: 'full identifier or external ID' },
      ],
      destroys: async ({ api }: ApiClient<'scim-service'>, values) => {
        const [provider, user] = [String(values['provider']), String(values['user'])];
        const { grants } = dataOf(
          await api.GET('/api/v1/access/users/{user}', { params: { path: { user }, query: { provider } } }),
        );
        const held = grants.map(({ binding }) => `${binding.relation} on ${binding.namespace}`);
        return [
          `user "${user}" of provider "${provider}" will lose all access: ${held.join(', ') || 'there is none now'}`,
        ];
      },
      example: 'user deactivate entra-eu ann',
    },
  ],
};

export const GROUPS: OperationGroup = {
  name: 'group',
  summary: 'Groups of an identity provider. Needs a provider token.',
  operations: [
    {
      ...SHARED,
      name: 'list',
      summary: 'List groups, without their members',
      method: 'GET',
      path: '/scim/v2/Groups',
      // A page of groups with all their members could be very large.
      query: { excludedAttributes: ['members'] },
      options: LIST_OPTIONS,
      items: 'Resources',
      columns: ['id', 'displayName', 'externalId'],
      example: `group list --filter 'displayName co "eng"'`,
    },
    {
      ...SHARED,
      name: 'show',
      summary: 'Show a group',
      method: 'GET',
      path: '/scim/v2/Groups/{id}',
      arguments: [{ name: 'id', text: 'full identifier, external ID or name', names: 'group' }],
      example: 'group show engineers',
    },
  ],
};
