import type { ExamplesObject } from '@nestjs/swagger';

const BADGE_EXTENSION = {
  resource_type: 'User',
  required: false,
  schema: {
    id: 'urn:example:params:scim:schemas:acme:2.0:User',
    name: 'AcmeUser',
    attributes: [{ name: 'badge', type: 'string', description: 'Number of the badge.', caseExact: true }],
  },
};

const WORKLOAD_IDENTITY = {
  issuer: 'https://login.example.com/tenant',
  audience: 'palisade',
  subject: 'f5b2c1de-provisioning',
  jwks_uri: 'https://login.example.com/tenant/keys',
  role: 'provisioner',
};

export const CREATE_PROVIDER_EXAMPLES: ExamplesObject = {
  entra: {
    summary: 'Microsoft Entra ID',
    value: { id: 'acme-entra', display_name: 'Acme, Entra ID', dialect: 'entra' },
  },
  okta: {
    summary: 'Okta, which pushes groups before users',
    value: { id: 'acme-okta', dialect: 'okta', unknown_members: 'accept' },
  },
  extended: {
    summary: 'Another attribute of users, and tokens of an external issuer',
    value: { id: 'acme-hr', extensions: [BADGE_EXTENSION], trusted_issuers: [WORKLOAD_IDENTITY] },
  },
};

export const REPLACE_PROVIDER_EXAMPLES: ExamplesObject = {
  conflict: {
    summary: 'Answer repeated creates with 409',
    value: { display_name: 'Acme, Entra ID', dialect: 'entra', repeat_create: 'conflict' },
  },
};
