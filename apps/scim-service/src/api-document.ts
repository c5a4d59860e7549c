import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { describeApi } from '@palisade/platform';
import { ADMIN_SCHEME, ADMIN_TAGS } from './admin-routes.js';
import { OAUTH_SCHEMAS } from './oauth/oauth.openapi.js';
import { CATALOGUE } from './problems.js';
import {
  SCIM_SCHEME,
  SCIM_TAGS,
  addCommonScimErrors,
  commonScimErrors,
  scimSchemas,
} from './scim/openapi/scim.openapi.js';

const INTRODUCTION = `
Users and groups come from identity providers over **SCIM 2.0** (RFC 7643, RFC 7644, RFC 9865), below \`/scim/v2\`. Admins
bind groups to namespaces, and ask who may do what, with the **admin API** below \`/api/v1\`.

**Credentials.** Put a token into *Authorize*: \`scim\` takes a token of a provider, \`admin\` one of an admin; neither is
valid for the other.

**First steps.** As an identity provider does: \`createUser\`, \`createGroup\`, \`patchGroup\`. As an admin: \`addBinding\`, then
\`checkAccess\` to see the result. The examples are for the provider \`default\`, to which the token in
\`SVC_SCIM_BEARER_TOKEN\` belongs, and work in this order; more providers come from \`createProvider\` and \`issueToken\`. Every
\`{id}\` of a user or group takes the external id as well as the full identifier, \`user:scim:<provider>:<external id>\`.

**Errors** are Error resources below \`/scim/v2\` and problem details everywhere else; branch on \`scimType\` and \`code\`. Every
answer has the header \`X-Request-Id\`, which the service also logs.

\`/health/live\`, \`/health/ready\` and \`/metrics\` need no credential. This document: [JSON](/docs-json), [YAML](/docs-yaml).
`;

/** The OpenAPI document of every route that the app has. */
export function createApiDocument(app: INestApplication, { isScimEnabled }: { isScimEnabled: boolean }): OpenAPIObject {
  return describeApi(app, {
    title: 'Palisade SCIM service',
    introduction: INTRODUCTION,
    tags: { ...(isScimEnabled && SCIM_TAGS), ...ADMIN_TAGS },
    securitySchemes: { ...(isScimEnabled && { scim: SCIM_SCHEME }), admin: ADMIN_SCHEME },
    responses: isScimEnabled ? commonScimErrors() : {},
    schemas: { ...(isScimEnabled && scimSchemas()), ...OAUTH_SCHEMAS, Problem: CATALOGUE.schema },
    addResponses: addCommonScimErrors,
  });
}
