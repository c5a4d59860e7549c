import { dataOf } from '@palisade/client';
import type { ApiClient } from '../command/api-client.js';
import { countAll } from '../command/list-all.js';
import type { DocumentedOperation, OperationGroup } from './documented-operation.js';
import { PAGE_OPTIONS, type OperationOption } from './operation.js';

const SHARED = { service: 'scim-service' } as const;

const SETTINGS = [
  { flags: '--display-name <text>', text: 'human-readable name', field: 'display_name' },
  {
    flags: '--dialect <dialect>',
    text: 'known deviations from the RFCs to accept',
    field: 'dialect',
    choices: ['rfc', 'entra', 'okta'],
  },
  {
    flags: '--repeat-create <answer>',
    text: 'how to answer a repeated create',
    field: 'repeat_create',
    choices: ['return', 'conflict'],
  },
  {
    flags: '--unknown-members <policy>',
    text: 'whether groups may name users that do not exist yet',
    field: 'unknown_members',
    choices: ['reject', 'accept'],
  },
] as const satisfies readonly OperationOption[];

export const PROVIDERS: OperationGroup = {
  name: 'provider',
  summary: 'Identity providers. Needs an admin token.',
  operations: [
    {
      ...SHARED,
      name: 'list',
      summary: 'List providers',
      method: 'GET',
      path: '/api/v1/providers',
      options: PAGE_OPTIONS,
      items: 'items',
      columns: ['id', 'display_name', 'dialect', 'repeat_create', 'unknown_members', 'created_at'],
      example: 'provider list',
    },
    {
      ...SHARED,
      name: 'create',
      summary: 'Register a provider',
      method: 'POST',
      path: '/api/v1/providers',
      arguments: [{ name: 'provider', text: 'id of the provider', field: 'id' }],
      options: SETTINGS,
      takesFile: true,
      example: 'provider create entra-eu --dialect entra --display-name "Entra ID, Europe"',
    },
    {
      ...SHARED,
      name: 'show',
      summary: 'Show a provider',
      method: 'GET',
      path: '/api/v1/providers/{id}',
      arguments: [{ name: 'id', text: 'id of the provider' }],
      example: 'provider show entra-eu',
    },
    {
      ...SHARED,
      name: 'delete',
      summary: 'Remove a provider and everything that came from it',
      method: 'DELETE',
      path: '/api/v1/providers/{id}',
      arguments: [{ name: 'id', text: 'id of the provider' }],
      destroys: async (client, { id }) => {
        const tokens = await countAll(client, '/api/v1/providers/{provider}/tokens', {}, { provider: String(id) });
        const bindings = await countAll(client, '/api/v1/bindings', { provider: id });
        return [
          `provider "${id}" will be gone, with all of its users, groups and memberships`,
          `tokens that will be gone: ${tokens}`,
          `bindings of its groups that will be suspended: ${bindings}`,
        ];
      },
      example: 'provider delete entra-eu',
    },
  ],
};

const PROVIDER = { name: 'provider', text: 'id of the provider' } as const;
const TOKEN = { name: 'token', text: 'id of the token' } as const;
const EXPIRY = { flags: '--expires-at <time>', text: 'when it expires, as in RFC 3339', field: 'expires_at' } as const;

export const TOKENS: OperationGroup = {
  name: 'token',
  summary: 'Tokens of identity providers. Needs an admin token.',
  operations: [
    {
      ...SHARED,
      name: 'create',
      summary: 'Issue a token; its secret is printed once and cannot be shown again',
      method: 'POST',
      path: '/api/v1/providers/{provider}/tokens',
      arguments: [PROVIDER],
      options: [
        { flags: '--description <text>', text: 'what it is for', field: 'description' },
        { flags: '--kind <kind>', text: 'bearer token or OAuth client', field: 'kind', choices: ['bearer', 'client'] },
        EXPIRY,
      ],
      example: 'token create entra-eu --description "Entra ID provisioning"',
    },
    {
      ...SHARED,
      name: 'list',
      summary: 'List the tokens of a provider, without their secrets',
      method: 'GET',
      path: '/api/v1/providers/{provider}/tokens',
      arguments: [PROVIDER],
      items: 'items',
      columns: ['id', 'kind', 'state', 'hint', 'description', 'created_at', 'expires_at', 'last_used_at'],
      example: 'token list entra-eu',
    },
    {
      ...SHARED,
      name: 'rotate',
      summary: 'Issue a successor; the old token stays valid for the overlap',
      method: 'POST',
      path: '/api/v1/providers/{provider}/tokens/{token}/rotate',
      arguments: [PROVIDER, TOKEN],
      options: [
        EXPIRY,
        {
          flags: '--overlap-seconds <seconds>',
          text: 'how long both tokens are valid',
          field: 'overlap_seconds',
          kind: 'number',
        },
      ],
      example: 'token rotate entra-eu 0199a3c4-7d9f-7000-8000-3c5200000000 --overlap-seconds 3600',
    },
    {
      ...SHARED,
      name: 'revoke',
      summary: 'Revoke a token immediately',
      method: 'DELETE',
      path: '/api/v1/providers/{provider}/tokens/{token}',
      arguments: [PROVIDER, TOKEN],
      destroys: async ({ api }: ApiClient<'scim-service'>, { provider, token }) => {
        const path = { provider: String(provider) };
        const { items } = dataOf(await api.GET('/api/v1/providers/{provider}/tokens', { params: { path } }));
        const known = items.find(({ id }) => id === token);
        const facts = known && ` (${known.description ?? known.hint}, last used ${known.last_used_at ?? 'never'})`;
        return [`token ${token} of provider "${provider}"${facts ?? ''} will be rejected at once`];
      },
      example: 'token revoke entra-eu 0199a3c4-7d9f-7000-8000-3c5200000000',
    },
  ],
};

export const RECONCILE: DocumentedOperation = {
  ...SHARED,
  name: 'reconcile',
  summary: 'Report the memberships of deactivated users, and remove them with --apply. Needs an admin token.',
  method: 'POST',
  path: '/api/v1/providers/{provider}/reconcile',
  arguments: [PROVIDER],
  items: 'items',
  columns: ['user_id', 'user_name', 'display', 'group_id', 'group_display', 'namespaces'],
  options: [{ flags: '--apply', text: 'remove the reported memberships', field: 'apply', kind: 'switch' }],
  destroys: async ({ api }: ApiClient<'scim-service'>, { provider, apply }) => {
    const path = { provider: String(provider) };
    const found =
      apply === true && (await api.POST('/api/v1/providers/{provider}/reconcile', { params: { path }, body: {} }));
    return found
      ? dataOf(found).items.map(
          (item) => `${item.user_name} (${item.user_id}) will not be in ${item.group_id} any more`,
        )
      : [];
  },
  example: 'reconcile entra-eu --apply',
};
