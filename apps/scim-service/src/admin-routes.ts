import type { SecuritySchemeObject } from '@nestjs/swagger';

/** The groups of operations in the API pages, in the order in which they are shown, each with a sentence. */
export const ADMIN_TAGS = {
  Providers: 'Identity providers: each has users, groups, tokens and settings of its own.',
  Tokens: 'What a provider authenticates with at SCIM: bearer tokens, and secrets of OAuth 2.0 clients.',
  'OAuth 2.0': 'Access tokens for SCIM in exchange for client credentials.',
  Bindings: 'What a group may do in a namespace. Only an admin binds; provisioning never grants access.',
  Deprovisioning: 'Users who left: mark them inactive, then find and remove the memberships that remain.',
  Access: 'Who may do what, and why: the groups and the binding that give it.',
  Log: 'What was done and what was denied, in a chain of hashes that shows every change to it.',
} as const;

export const ADMIN_SCHEME: SecuritySchemeObject = {
  type: 'http',
  scheme: 'bearer',
  description:
    'A token of an admin: `SVC_ADMIN_TOKEN`, one of `SVC_ADMIN_TOKEN_DIGESTS`, or a JWT of the issuer in ' +
    '`SVC_ADMIN_JWT_ISSUER`. Scopes are `read`, `operate` and `admin`; each includes the ones before it.',
};
