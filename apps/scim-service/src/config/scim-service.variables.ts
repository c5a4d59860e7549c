import { DIALECTS, InvalidIdentifierError, parseProviderId, type ProviderId } from '@palisade/domain';
import { isJwksUri, parseAdminTokenDigests, type AdminTokenDigest } from '@palisade/guards';
import {
  COMMON_VARIABLES,
  MIN_PRODUCTION_TOKEN_LENGTH,
  baseUrl,
  bearerToken,
  choice,
  flag,
  hostPort,
  text,
  url,
  variable,
  type Variables,
} from '@palisade/platform';
import { parseStoreUrl } from '@palisade/storage';

/** Everything that scim-service reads from its environment; docs/configuration.md is rendered from it. */
export const SCIM_SERVICE_VARIABLES = {
  listen: hostPort('SVC_SCIM_LISTEN', {
    description: 'Address of the HTTP listener.',
    default: '0.0.0.0:9091',
  }),
  isScimEnabled: flag('SVC_SCIM_ENABLED', {
    description: 'Whether `/scim/v2` exists. Health, metrics and the admin API stay either way.',
    default: 'true',
  }),
  scimBearerToken: bearerToken('SVC_SCIM_BEARER_TOKEN', {
    description:
      'Bearer token of the provider `SVC_SCIM_PROVIDER_ID`. More providers and tokens are managed with the admin API.',
    computedDefault: `none; required in production (at least ${MIN_PRODUCTION_TOKEN_LENGTH} characters); \`npm start\` generates one`,
  }),
  scimProviderId: variable<ProviderId, { description: string; default: string }>(
    'SVC_SCIM_PROVIDER_ID',
    { description: 'Provider that `SVC_SCIM_BEARER_TOKEN` belongs to.', default: 'default' },
    'a provider id: 1 to 63 of a-z, 0-9 and inner "-"',
    (value) => unlessThrown(InvalidIdentifierError, () => parseProviderId(value)),
  ),
  scimDialect: choice('SVC_SCIM_DIALECT', {
    description: 'Dialect of that provider. When set, it replaces what is stored for the provider.',
    choices: DIALECTS,
    computedDefault: '`rfc` for a new provider',
  }),
  storeUrl: variable<string, { description: string; computedDefault: string; secret: true }>(
    'SVC_STORE_URL',
    {
      description:
        'Where everything is kept. What is kept in `memory:` ends with the process, and production refuses it.',
      computedDefault: '`embedded:<SVC_DATA_DIR>/postgres`; required in production',
      secret: true,
    },
    '`postgres://user:password@host:port/database` with user and password percent-encoded, `embedded:<directory>` or `memory:`',
    (value) => unlessThrown(SyntaxError, () => parseStoreUrl(value) && value),
  ),
  publicUrl: baseUrl('SVC_SCIM_PUBLIC_URL', {
    description:
      'Origin under which clients reach the service, for `meta.location`, `$ref` and token audiences; set it behind a proxy that terminates TLS.',
    computedDefault: 'what the client used (Host header)',
  }),
  adminTokenDigests: variable<readonly AdminTokenDigest[], { description: string; default: string }>(
    'SVC_ADMIN_TOKEN_DIGESTS',
    {
      description: 'Further static admin tokens: `name:sha256` pairs, comma-separated; the digest in hexadecimal.',
      default: ',',
    },
    'comma-separated pairs `name:<64 hexadecimal digits>`',
    (value) => unlessThrown(SyntaxError, () => parseAdminTokenDigests(value)),
  ),
  adminJwtIssuer: url('SVC_ADMIN_JWT_ISSUER', {
    description: 'Issuer (`iss`) whose JWTs authenticate admins.',
    schemes: ['https:', 'http:'],
  }),
  adminJwtAudience: text('SVC_ADMIN_JWT_AUDIENCE', { description: 'Audience (`aud`) that such a JWT must name.' }),
  adminJwtJwksUri: variable<string, { description: string }>(
    'SVC_ADMIN_JWT_JWKS_URI',
    { description: 'Where the keys of that issuer are.' },
    'an `https:` URL (`http:` on loopback)',
    (value) => (isJwksUri(value) ? value : undefined),
  ),
  adminJwtNamespacesClaim: text('SVC_ADMIN_JWT_NAMESPACES_CLAIM', {
    description: 'Claim with the namespaces that the bearer administers; `*` stands for all.',
    default: 'namespaces',
  }),
  adminJwtIdentityClaim: text('SVC_ADMIN_JWT_IDENTITY_CLAIM', {
    description: 'Claim that names the admin in the audit trail and in `approved_by`; `sub` where a token lacks it.',
    default: 'email',
  }),
  ...COMMON_VARIABLES,
} satisfies Variables;

function unlessThrown<T>(expected: new (...parameters: never[]) => Error, parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof expected) {
      return undefined;
    }
    throw error;
  }
}
