/** The groups of operations in the API pages, in the order in which they are shown, each with a sentence. */
export const SCIM_TAGS = {
  'SCIM users': 'Users of the provider that the token belongs to. A provider never sees objects of another one.',
  'SCIM groups':
    'Groups of that provider and their members. A group by itself gives access to nothing: bind it to a namespace.',
  'SCIM queries and bulk': 'Users and groups together, and many operations in one request.',
  'SCIM discovery':
    'What this service supports and which attributes it knows, the extensions of the provider included.',
} as const;

export const ADMIN_TAGS = {
  Providers: 'Identity providers: each has users, groups, tokens and settings of its own.',
  Tokens: 'What a provider authenticates with at SCIM: bearer tokens, and secrets of OAuth 2.0 clients.',
  'OAuth 2.0': 'Access tokens for SCIM in exchange for client credentials.',
  Bindings: 'What a group may do in a namespace. Only an admin binds; provisioning never grants access.',
  Deprovisioning: 'Users who left: mark them inactive, then find and remove the memberships that remain.',
  Access: 'Who may do what, and why: the groups and the binding that give it.',
  Audit: 'Every change and every refused attempt, in order.',
} as const;

export type ScimTag = keyof typeof SCIM_TAGS;
export type AdminTag = keyof typeof ADMIN_TAGS;
