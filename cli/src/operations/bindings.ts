import type { OperationGroup } from './documented-operation.js';
import { PAGE_OPTIONS } from './operation.js';

const SHARED = { service: 'scim-service' } as const;
const RELATIONS = ['read', 'write', 'admin'] as const;

export const BINDINGS: OperationGroup = {
  name: 'binding',
  summary: 'What groups may do in namespaces. Needs a token of an admin.',
  operations: [
    {
      ...SHARED,
      name: 'list',
      summary: 'List bindings',
      method: 'GET',
      path: '/api/v1/bindings',
      options: [
        { flags: '--namespace <name>', text: 'only of this namespace', field: 'namespace' },
        { flags: '--provider <id>', text: 'only of groups of this provider', field: 'provider' },
        { flags: '--subject <group>', text: 'only of this group', field: 'bound_subject' },
        { flags: '--state <state>', text: 'only in this state', field: 'state', choices: ['active', 'dangling'] },
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
        { name: 'group', text: 'full identifier of the group', field: 'bound_subject' },
        { name: 'namespace', text: 'name of the namespace', field: 'namespace' },
      ],
      options: [
        { flags: '--relation <relation>', text: 'what its members may do', field: 'relation', choices: RELATIONS },
        { flags: '--source <source>', text: 'where it comes from', field: 'source', choices: ['manual', 'import'] },
        { flags: '--pending', text: 'also when the group does not exist yet', field: 'pending', kind: 'switch' },
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
        { name: 'group', text: 'full identifier of the group', field: 'bound_subject' },
        { name: 'namespace', text: 'name of the namespace', field: 'namespace' },
        { name: 'relation', text: RELATIONS.join(', '), field: 'relation' },
      ],
      example: 'binding remove group:scim:entra-eu:engineers acme-orders write',
    },
  ],
};

const USER = { name: 'user', text: 'full identifier, or the external id with --provider' } as const;
const PROVIDER = { flags: '--provider <id>', text: 'provider of the user', field: 'provider' } as const;
const RELATION = {
  flags: '--relation <relation>',
  text: 'what to do there',
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

export const ACCESS: OperationGroup = {
  name: 'access',
  summary: 'Who may do what. Needs a token of an admin.',
  operations: [
    {
      ...CHECK,
      name: 'check',
      summary: 'Say whether a user may do something in a namespace; ends with 1 when not',
      example: 'access check user:scim:entra-eu:ann acme-orders --relation write',
    },
    {
      ...CHECK,
      name: 'explain',
      summary: 'Say why: the groups and bindings through which a user may do it, or why they may not; ends with 1 then',
      headline: 'reason',
      items: 'explanation',
      columns: ['binding.relation', 'binding.bound_subject', 'groups', 'binding.approved_by'],
      example: 'access explain user:scim:entra-eu:ann acme-orders --relation write',
    },
    {
      ...SHARED,
      name: 'who',
      summary: 'List who may do something in a namespace',
      method: 'GET',
      path: '/api/v1/access/namespaces/{namespace}/users',
      arguments: [{ name: 'namespace', text: 'name of the namespace' }],
      options: [RELATION, ...PAGE_OPTIONS],
      items: 'items',
      columns: ['id', 'user_name', 'relation'],
      example: 'access who acme-orders --relation admin',
    },
    {
      ...SHARED,
      name: 'what',
      summary: 'List what a user may do',
      method: 'GET',
      path: '/api/v1/access/users/{user}',
      arguments: [USER],
      options: [PROVIDER],
      items: 'grants',
      columns: ['binding.namespace', 'binding.relation', 'binding.bound_subject', 'groups'],
      example: 'access what user:scim:entra-eu:ann',
    },
  ],
};
