import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { describeApi } from '@palisade/platform';
import { CATALOGUE } from './problems.js';

/** The groups of operations in the API pages, in the order in which they are shown, each with a sentence. */
const TAGS = {
  Tenants: 'Who owns which namespaces, and where their requests go.',
  Routing: 'Where a namespace goes, and why.',
  Access: 'Which users reach which namespaces, and through which pool.',
  Pools: 'Proxies by pool, with their health and what is routed to them.',
  Proxies: 'Proxies that register themselves, and what operators do with any.',
  'Load balancer': 'What it was made to do, and whether it does.',
  Status: 'Who leads, what the leader has done, and what is pending.',
  Log: 'What was done and what was denied, in a chain of hashes that shows every change to it.',
  Sizing: 'How many proxies and connections a number of tenants needs.',
} as const;

const INTRODUCTION = `
Tenants own namespaces, and their requests are routed to pools of proxies: by what the tenant says, by rules, and by the
configuration file.

**Credentials.** Put a token of an admin into *Authorize*: \`SVC_ADMIN_TOKEN\`, one of \`SVC_ADMIN_TOKEN_DIGESTS\`, or a JWT of the
issuer in \`SVC_ADMIN_JWT_ISSUER\`. Scopes are \`read\`, \`operate\` and \`admin\`; each includes the ones before it. Admins of some
namespaces see what concerns those.

**First steps.** \`registerTenant\`, then \`getTenant\` to see its routing, and \`explainRoute\` to see why.

**Errors** are problem details (RFC 9457); branch on \`code\`. Every answer has the header \`X-Request-Id\`, which the service
also logs.

\`/health/live\`, \`/health/ready\` and \`/metrics\` need no credential. This document: [JSON](/docs-json), [YAML](/docs-yaml).
`;

/** The OpenAPI document of every route that the app has. */
export function createApiDocument(app: INestApplication): OpenAPIObject {
  return describeApi(app, {
    title: 'Palisade control plane',
    introduction: INTRODUCTION,
    tags: TAGS,
    securitySchemes: { admin: { type: 'http', scheme: 'bearer', description: 'A token of an admin.' } },
    schemas: { Problem: CATALOGUE.schema },
  });
}
