import type { HostPort } from '@palisade/domain';
import { digestSecret, equalDigests } from '@palisade/guards';
import {
  adminJwtOf,
  loadVariables,
  strongTokenInProduction,
  wholeAdminJwt,
  type Environment,
  type LogLevel,
  type Rule,
} from '@palisade/platform';
import { AuthenticationConfig } from '../authentication/authentication.config.js';
import { ADMIN_JWT_AUDIENCE, SCIM_SERVICE_VARIABLES, STORE } from './scim-service.variables.js';
import { FITTING_STORE_CONNECTIONS } from './store-connections.js';

/** What the service runs with; made once, before Nest starts. */
export abstract class ScimServiceConfig extends AuthenticationConfig {
  abstract readonly mode: 'development' | 'test' | 'production';
  abstract readonly listen: HostPort;
  abstract readonly isScimEnabled: boolean;
  /** `memory:`, `postgres://…` or `embedded:<directory>`. */
  abstract readonly storeUrl: string;
  abstract readonly storeIsolationLevel: 'none' | 'namespace';
  /** Connections to the database at most. */
  abstract readonly storeMaxConnections: number;
  /** Connections that one provider may have, at the level `namespace`. */
  abstract readonly storeConnectionsPerProvider?: number;
  /** Origin and perhaps path under which clients reach the service, without a trailing slash. */
  abstract readonly publicUrl?: string;
  abstract readonly logLevel: LogLevel;
  /** Where metrics, API pages and health are, if not on `listen`. */
  abstract readonly managementListen?: HostPort;
  abstract readonly shutdownDelayMs: number;
  abstract readonly shutdownGraceMs: number;
  /** What the operator should be told about the environment. */
  abstract readonly warnings: readonly string[];
}

type ScimServiceRule = Rule<typeof SCIM_SERVICE_VARIABLES>;

const SCIM_TOKEN_IN_PRODUCTION: ScimServiceRule = {
  needs: ['mode', 'isScimEnabled', 'scimBearerToken'],
  check: (values) =>
    values.isScimEnabled ? strongTokenInProduction(SCIM_SERVICE_VARIABLES, 'scimBearerToken').check(values) : undefined,
};

const SCIM_TOKEN_IS_NOT_ADMIN_TOKEN: ScimServiceRule = {
  needs: ['scimBearerToken', 'adminToken'],
  check: ({ scimBearerToken, adminToken }) =>
    scimBearerToken !== undefined && scimBearerToken === adminToken
      ? 'SVC_SCIM_BEARER_TOKEN: expected another secret than SVC_ADMIN_TOKEN'
      : undefined,
};

const SCIM_TOKEN_IS_NO_ADMIN_DIGEST: ScimServiceRule = {
  needs: ['scimBearerToken', 'adminTokenDigests'],
  check: ({ scimBearerToken, adminTokenDigests }) => {
    const scimDigest = scimBearerToken === undefined ? '' : digestSecret(scimBearerToken);
    return adminTokenDigests.some(({ digest }) => equalDigests(digest, scimDigest))
      ? 'SVC_SCIM_BEARER_TOKEN: expected another secret than those of SVC_ADMIN_TOKEN_DIGESTS'
      : undefined;
  },
};

/** @throws {ConfigurationError} with all mistakes at once, by variable name and without secret values */
export function loadConfig(environment: Environment = process.env): ScimServiceConfig {
  const values = loadVariables(SCIM_SERVICE_VARIABLES, environment, {
    rules: [
      SCIM_TOKEN_IN_PRODUCTION,
      strongTokenInProduction(SCIM_SERVICE_VARIABLES, 'adminToken'),
      SCIM_TOKEN_IS_NOT_ADMIN_TOKEN,
      SCIM_TOKEN_IS_NO_ADMIN_DIGEST,
      STORE.rule,
      FITTING_STORE_CONNECTIONS,
      wholeAdminJwt(ADMIN_JWT_AUDIENCE),
    ],
    foreignPrefixes: ['SVC_CONTROL_'],
  });
  return Object.freeze({
    ...values,
    storeUrl: STORE.urlOf(values),
    adminJwt: adminJwtOf(values),
  });
}

/**
 * Where the store is, for commands that need nothing else of the environment.
 *
 * @throws {ConfigurationError}
 */
export function loadStoreUrl(environment: Environment = process.env): string {
  return STORE.urlOf(loadVariables(STORE.variables, environment, { rules: [STORE.rule], foreignPrefixes: ['SVC_'] }));
}
