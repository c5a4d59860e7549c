import { dataOf } from '@palisade/client';
import type { ApiClient } from '../command/api-client.js';
import type { DocumentedOperation, OperationGroup } from './documented-operation.js';
import { PAGE_OPTIONS } from './operation.js';

const SHARED = { service: 'scim-service' } as const;
const RELATIONS = ['read', 'write', 'admin'] as const;
const STATES = ['active', 'dangling', 'suspended'] as const;

export const BINDINGS: OperationGroup = {
  name: 'binding',
  summary: 'What groups may do in namespaces. Needs an admin token.',
  operations: [
    {
      ...SHARED,
      name: 'list',
      summary: 'List bindings',
      method: 'GET',
      path: '/api/v1/bindings',
      options: [
        { flags: '--namespace <name>', text: 'only for this namespace', field: 'namespace' },
        { flags: '--provider <id>', text: "only for this provider's groups", field: 'provider' },
        { flags: '--subject <group>', text: 'only for this group', field: 'bound_subject' },
        { flags: '--state <state>', text: 'only in this state', field: 'state', choices: STATES },
        ...PAGE_OPTIONS,
      ],
      items: 'items',
      columns: ['namespace', 'relation', 'bound_subject', 'display', 'state', 'source', 'approved_by'],
      example: 'binding list --namespace acme-orders',
    },
    {
      ...SHARED,
      name: 'add',
      summary: 'Bind a group to a namespace',
      method: 'POST',
      path: '/api/v1/bindings',
      arguments: [
        {
          name: 'group',
          text: 'full identifier of the group; with a provider token also its name',
          field: 'bound_subject',
          names: 'group',
        },
        { name: 'namespace', text: 'name of the namespace', field: 'namespace' },
      ],
      options: [
        { flags: '--relation <relation>', text: 'what the members may do', field: 'relation', choices: RELATIONS },
        {
          flags: '--source <source>',
          text: 'where the binding comes from',
          field: 'source',
          choices: ['manual', 'import'],
        },
        { flags: '--pending', text: 'accept a group that does not exist yet', field: 'pending', kind: 'switch' },
      ],
      example: 'binding add group:scim:entra-eu:engineers acme-orders --relation write',
    },
    {
      ...SHARED,
      name: 'remove',
      summary: 'Remove a binding',
      method: 'DELETE',
      path: '/api/v1/bindings',
      arguments: [
        {
          name: 'group',
          text: 'full identifier of the group; with a provider token also its name',
          field: 'bound_subject',
          names: 'group',
        },
        { name: 'namespace', text: 'name of the namespace', field: 'namespace' },
        { name: 'relation', text: RELATIONS.join(', '), field: 'relation' },
      ],
      destroys: async ({ api }: ApiClient<'scim-service'>, values) => {
        const query = { bound_subject: String(values['bound_subject']), namespace: String(values['namespace']) };
        const { items } = dataOf(await api.GET('/api/v1/bindings', { params: { query } }));
        const known = items.find(({ relation }) => relation === values['relation']);
        const name = known?.display === undefined ? '' : ` (${known.display})`;
        return [`${query.bound_subject}${name} will lose ${String(values['relation'])} on ${query.namespace}`];
      },
      example: 'binding remove group:scim:entra-eu:engineers acme-orders write',
    },
  ],
};

const USER = {
  name: 'user',
  text: 'full identifier, or external ID together with --provider; with a provider token also e-mail address or name',
  names: 'user',
} as const;
const PROVIDER = { flags: '--provider <id>', text: 'provider of the user', field: 'provider' } as const;
const RELATION = {
  flags: '--relation <relation>',
  text: 'what the user wants to do',
  field: 'relation',
  choices: RELATIONS,
} as const;
const CHECK = {
  ...SHARED,
  method: 'GET',
  path: '/api/v1/access/check',
  arguments: [
    { ...USER, field: 'user' },
    { name: 'namespace', text: 'name of the namespace', field: 'namespace' },
  ],
  options: [RELATION, PROVIDER],
  mustBeTrue: 'allowed',
} as const;

const WHAT = {
  ...SHARED,
  name: 'what',
  summary: 'List everything that a user may do',
  method: 'GET',
  path: '/api/v1/access/users/{user}',
  arguments: [USER],
  options: [PROVIDER],
  items: 'grants',
  columns: ['binding.namespace', 'binding.relation', 'binding.bound_subject', 'groups'],
  example: 'access what user:scim:entra-eu:ann',
} as const satisfies DocumentedOperation;

export const ACCESS: OperationGroup = {
  name: 'access',
  summary: 'Who may do what. Needs an admin token.',
  operations: [
    {
      ...CHECK,
      name: 'check',
      summary: 'Check whether a user may do something in a namespace; ends with 1 if not',
      example: 'access check user:scim:entra-eu:ann acme-orders --relation write',
    },
    {
      ...CHECK,
      name: 'explain',
      summary:
        'Explain a check: the groups and bindings that allow it, or why it is denied and what the user may do; ends with 1 if it is',
      headline: 'reason',
      items: 'explanation',
      columns: ['binding.relation', 'binding.bound_subject', 'groups', 'binding.approved_by'],
      otherwise: { title: 'What the user may do:', operation: WHAT },
      example: 'access explain user:scim:entra-eu:ann acme-orders --relation write',
    },
    {
      ...SHARED,
      name: 'who',
      summary: 'List the users who may do something in a namespace',
      method: 'GET',
      path: '/api/v1/access/namespaces/{namespace}/users',
      arguments: [{ name: 'namespace', text: 'name of the namespace' }],
      options: [RELATION, ...PAGE_OPTIONS],
      items: 'items',
      columns: ['id', 'user_name', 'relation'],
      example: 'access who acme-orders --relation admin',
    },
    WHAT,
  ],
};
