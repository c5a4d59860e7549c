import { join } from 'node:path';
import { digestSecret, equalDigests, type AdminJwtOptions } from '@palisade/guards';
import {
  loadVariables,
  strongTokenInProduction,
  type Environment,
  type HostPort,
  type LogLevel,
  type Rule,
  type Values,
} from '@palisade/platform';
import { parseStoreUrl } from '@palisade/storage';
import { AuthenticationConfig } from '../authentication/authentication.config.js';
import { SCIM_SERVICE_VARIABLES } from './scim-service.variables.js';

/** What the service runs with; made once, before Nest starts. */
export abstract class ScimServiceConfig extends AuthenticationConfig {
  abstract readonly mode: 'development' | 'test' | 'production';
  abstract readonly listen: HostPort;
  abstract readonly isScimEnabled: boolean;
  /** `memory:`, `postgres://…` or `embedded:<directory>`. */
  abstract readonly storeUrl: string;
  /** Origin and perhaps path under which clients reach the service, without a trailing slash. */
  abstract readonly publicUrl?: string;
  abstract readonly logLevel: LogLevel;
  abstract readonly shutdownDelayMs: number;
  abstract readonly shutdownGraceMs: number;
  /** What the operator should be told about the environment. */
  abstract readonly warnings: readonly string[];
}

type ScimServiceRule = Rule<typeof SCIM_SERVICE_VARIABLES>;

const { mode, dataDirectory, storeUrl } = SCIM_SERVICE_VARIABLES;
const STORE_VARIABLES = { mode, dataDirectory, storeUrl };

const STORE_IN_PRODUCTION: Rule<typeof STORE_VARIABLES> = {
  needs: ['mode', 'storeUrl'],
  check: ({ mode, storeUrl }) => {
    if (mode !== 'production') {
      return undefined;
    }
    if (storeUrl === undefined) {
      return 'SVC_STORE_URL: required in production, e.g. postgres://user:password@host/palisade';
    }
    return parseStoreUrl(storeUrl).kind === 'memory'
      ? 'SVC_STORE_URL: expected postgres://… or embedded:<directory> in production, memory: keeps nothing'
      : undefined;
  },
};

const WHOLE_ADMIN_JWT: ScimServiceRule = {
  needs: ['adminJwtIssuer', 'adminJwtAudience', 'adminJwtJwksUri'],
  check: ({ adminJwtIssuer, adminJwtAudience, adminJwtJwksUri }) => {
    const given = [adminJwtIssuer, adminJwtAudience, adminJwtJwksUri].filter((value) => value !== undefined).length;
    return given === 0 || given === 3
      ? undefined
      : 'SVC_ADMIN_JWT_ISSUER: set SVC_ADMIN_JWT_AUDIENCE and SVC_ADMIN_JWT_JWKS_URI with it, or none of the three';
  },
};

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
      STORE_IN_PRODUCTION,
      WHOLE_ADMIN_JWT,
    ],
    foreignPrefixes: ['SVC_CONTROL_'],
  });
  return Object.freeze({
    ...values,
    storeUrl: values.storeUrl ?? embeddedStoreUrl(values.dataDirectory),
    adminJwt: adminJwt(values),
  });
}

/**
 * Where the store is, for commands that need nothing else of the environment.
 *
 * @throws {ConfigurationError}
 */
export function loadStoreUrl(environment: Environment = process.env): string {
  const options = { rules: [STORE_IN_PRODUCTION], foreignPrefixes: ['SVC_'] };
  const values = loadVariables(STORE_VARIABLES, environment, options);
  return values.storeUrl ?? embeddedStoreUrl(values.dataDirectory);
}

function embeddedStoreUrl(dataDirectory: string): string {
  return `embedded:${join(dataDirectory, 'postgres')}`;
}

function adminJwt(values: Values<typeof SCIM_SERVICE_VARIABLES>): AdminJwtOptions | undefined {
  const { adminJwtIssuer: issuer, adminJwtAudience: audience, adminJwtJwksUri: jwksUri } = values;
  if (issuer === undefined || audience === undefined || jwksUri === undefined) {
    return undefined;
  }
  const { adminJwtNamespacesClaim: namespacesClaim, adminJwtIdentityClaim: identityClaim } = values;
  return { issuer, audience, jwksUri, namespacesClaim, identityClaim };
}
