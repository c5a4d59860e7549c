import { join } from 'node:path';
import { loadVariables, type Environment, type Loaded, type Rule } from '@palisade/platform';
import { DATA_PROXY_VARIABLES } from './data-proxy.variables.js';
import { readYamlFile } from './settings-file.js';

type Variables = typeof DATA_PROXY_VARIABLES;

/** What the data proxy runs with; made once, before Nest starts. */
export type DataProxyConfig = Loaded<Variables> & {
  /** The file of the token, which is read again for each request. */
  readonly controlTokenFile: string | undefined;
  readonly auditFile: string;
  /** What the settings file says, unchecked. */
  readonly settings: unknown;
};

/** Variables that are of no use without one another. */
function together(...keys: (keyof Variables)[]): Rule<Variables> {
  const names = keys.map((key) => DATA_PROXY_VARIABLES[key].name);
  return {
    needs: keys,
    check: (values) => {
      const given = keys.filter((key) => values[key] !== undefined);
      return given.length === 0 || given.length === keys.length ? undefined : `${names.join(', ')}: set all or none`;
    },
  };
}

const RULES: readonly Rule<Variables>[] = [
  together('jwtIssuer', 'jwtAudience', 'jwksUri'),
  together('kafkaUser', 'kafkaPassword'),
  together('tlsCertFile', 'tlsKeyFile'),
  together('tlsClientCaFile', 'spiffeIds'),
  together('controlUrls', 'controlToken'),
  {
    needs: ['backendSecret'],
    check: ({ backendSecret }) =>
      backendSecret === undefined || backendSecret.length >= 32
        ? undefined
        : 'DATA_PROXY_BACKEND_SECRET: expected at least 32 characters',
  },
  {
    needs: ['tlsClientCaFile', 'tlsCertFile'],
    check: ({ tlsClientCaFile, tlsCertFile }) =>
      tlsClientCaFile !== undefined && tlsCertFile === undefined
        ? 'DATA_PROXY_TLS_CLIENT_CA: needs DATA_PROXY_TLS_CERT and DATA_PROXY_TLS_KEY'
        : undefined,
  },
  {
    needs: ['apiKeysFile', 'demoNamespaces', 'jwtIssuer', 'spiffeIds'],
    check: ({ apiKeysFile, demoNamespaces, jwtIssuer, spiffeIds }) =>
      (apiKeysFile ?? demoNamespaces ?? jwtIssuer ?? spiffeIds) === undefined
        ? 'DATA_PROXY_API_KEYS: required, unless tokens (DATA_PROXY_JWT_ISSUER) or certificates (DATA_PROXY_SPIFFE_IDS) are accepted; DATA_PROXY_DEMO_NAMESPACES=acme,bolt makes keys for trying things out'
        : undefined,
  },
];

const FOREIGN_PREFIXES = ['SVC_SCIM_', 'SVC_CONTROL_', 'SVC_STORE_', 'SVC_ADMIN_'];

/** Whether the control plane is asked what users may do. */
export function decidesAccess({ controlUrls, access }: Pick<DataProxyConfig, 'controlUrls' | 'access'>): boolean {
  return controlUrls !== undefined && access;
}

/** @throws {ConfigurationError} with all mistakes at once, without secret values */
export function loadConfig(environment: Environment = process.env): DataProxyConfig {
  const values = loadVariables(DATA_PROXY_VARIABLES, environment, {
    rules: RULES,
    foreignPrefixes: FOREIGN_PREFIXES,
  });
  return Object.freeze({
    ...values,
    controlTokenFile: environment['DATA_PROXY_CONTROL_TOKEN_FILE'],
    auditFile: values.auditFile ?? join(values.dataDirectory, 'audit.jsonl'),
    settings: readYamlFile(values.settingsFile),
  });
}
