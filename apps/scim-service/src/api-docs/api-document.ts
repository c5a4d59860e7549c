import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject, type SecuritySchemeObject } from '@nestjs/swagger';
import { addCommonResponses, commonProblems, commonRefusals } from './common-responses.js';
import { OAUTH_SCHEMAS } from './oauth-operations.js';
import { CATALOGUE } from './problems.js';
import { messageSchemas } from './scim/message-schemas.js';
import { resourceSchemas } from './scim/resource-schemas.js';
import { ADMIN_TAGS, SCIM_TAGS } from './tags.js';
import { PRODUCT_VERSION, tidyParameters } from '@palisade/platform';

const INTRODUCTION = `
Users and groups come from identity providers over **SCIM 2.0** (RFC 7643, RFC 7644, RFC 9865), below \`/scim/v2\`. Admins
bind groups to namespaces, and ask who may do what, with the **admin API** below \`/api/v1\`.

**Credentials.** Put a token into *Authorize*: \`scim\` takes a token of a provider, \`admin\` one of an admin; neither is
worth anything at the other.

**First steps.** As an identity provider does: \`createUser\`, \`createGroup\`, \`patchGroup\`. As an admin: \`addBinding\`, then
\`checkAccess\` to see what came of it. The examples are for the provider \`default\`, to which the token in
\`SVC_SCIM_BEARER_TOKEN\` belongs, and work in this order; more providers come from \`createProvider\` and \`issueToken\`. Every
\`{id}\` of a user or group takes the external id as well as the full identifier, \`user:scim:<provider>:<external id>\`.

**Errors** are Error resources below \`/scim/v2\` and problem details everywhere else; branch on \`scimType\` and \`code\`. Every
answer has the header \`X-Request-Id\`, which stands in the log of the service.

\`/health/live\`, \`/health/ready\` and \`/metrics\` need no credential. This document: [JSON](/docs-json), [YAML](/docs-yaml).
`;

const SCIM_SCHEME: SecuritySchemeObject = {
  type: 'http',
  scheme: 'bearer',
  description:
    'A token of a provider: `SVC_SCIM_BEARER_TOKEN`, the secret that `issueToken` answers, an access token of ' +
    '`/oauth/token`, or a JWT of an issuer that the provider trusts.',
};

const ADMIN_SCHEME: SecuritySchemeObject = {
  type: 'http',
  scheme: 'bearer',
  description:
    'A token of an admin: `SVC_ADMIN_TOKEN`, one of `SVC_ADMIN_TOKEN_DIGESTS`, or a JWT of the issuer in ' +
    '`SVC_ADMIN_JWT_ISSUER`. Scopes are `read`, `operate` and `admin`; each includes the ones before it.',
};

/** The OpenAPI document of every route that the app has. */
export function createApiDocument(app: INestApplication, { isScimEnabled }: { isScimEnabled: boolean }): OpenAPIObject {
  const description = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Palisade SCIM service')
    .setDescription(INTRODUCTION)
    .setVersion(PRODUCT_VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .build();
  const document = SwaggerModule.createDocument(app, {
    ...description,
    tags: Object.entries({ ...(isScimEnabled && SCIM_TAGS), ...ADMIN_TAGS }).map(([name, text]) => ({
      name,
      description: text,
    })),
    components: {
      securitySchemes: { ...(isScimEnabled && { scim: SCIM_SCHEME }), admin: ADMIN_SCHEME },
      responses: { ...(isScimEnabled && commonRefusals()), ...commonProblems() },
      schemas: {
        ...(isScimEnabled && { ...resourceSchemas(), ...messageSchemas() }),
        ...OAUTH_SCHEMAS,
        Problem: CATALOGUE.schema,
      },
    },
  });
  addCommonResponses(document);
  tidyParameters(document);
  return document;
}
