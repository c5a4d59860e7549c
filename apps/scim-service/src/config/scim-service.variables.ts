import { DIALECTS, InvalidIdentifierError, parseProviderId, type ProviderId, unlessThrown } from '@palisade/domain';
import {
  COMMON_VARIABLES,
  adminVariables,
  MIN_PRODUCTION_TOKEN_LENGTH,
  baseUrl,
  bearerToken,
  choice,
  flag,
  hostPort,
  storeEnvironment,
  text,
  variable,
  type Variables,
} from '@palisade/platform';
import { parseStoreUrl } from '@palisade/storage';
import { STORE_CONNECTION_VARIABLES } from './store-connections.js';

export const STORE = storeEnvironment({ parse: parseStoreUrl });

export const ADMIN_JWT_AUDIENCE = 'SVC_SCIM_ADMIN_JWT_AUDIENCE';

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
  storeUrl: STORE.variables.storeUrl,
  ...STORE_CONNECTION_VARIABLES,
  publicUrl: baseUrl('SVC_SCIM_PUBLIC_URL', {
    description:
      'Origin under which clients reach the service, for `meta.location`, `$ref` and token audiences; set it behind a proxy that terminates TLS.',
    computedDefault: 'what the client used (Host header)',
  }),
  ...adminVariables(ADMIN_JWT_AUDIENCE),
  adminJwtProvidersClaim: text('SVC_ADMIN_JWT_PROVIDERS_CLAIM', {
    description:
      'Claim with the providers whose groups the bearer may bind; `*` stands for all. Without it, an admin of some namespaces may bind those of the only provider.',
    default: 'providers',
  }),
  ...COMMON_VARIABLES,
} satisfies Variables;
