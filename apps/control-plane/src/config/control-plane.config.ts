import type { HostPort } from '@palisade/domain';
import type { AdminJwtOptions, AdminTokenDigest, ProxyTokenDigest } from '@palisade/guards';
import {
  adminJwtOf,
  loadVariables,
  strongTokenInProduction,
  wholeAdminJwt,
  type Environment,
  type LogLevel,
} from '@palisade/platform';
import type { ControlPlaneSettings } from './control-plane-settings.js';
import { loadConfigurationFile, loadTogether, settleListen, warnOfBuiltIn } from './configuration-file.js';
import { ADMIN_JWT_AUDIENCE, CONTROL_PLANE_VARIABLES, STORE } from './control-plane.variables.js';

/** What the service runs with; made once, before Nest starts. */
export abstract class ControlPlaneConfig {
  abstract readonly mode: 'development' | 'test' | 'production';
  abstract readonly listen: HostPort;
  /** Path of the YAML file. */
  abstract readonly configFile?: string;
  /** Whether this replica may become the leader. */
  abstract readonly mayLead: boolean;
  /** `memory:`, `postgres://…` or `embedded:<directory>`. */
  abstract readonly storeUrl: string;
  abstract readonly adminToken?: string;
  /** More such tokens, each under its own name. */
  abstract readonly adminTokenDigests: readonly AdminTokenDigest[];
  /** The credentials of proxies, each bound to a pool. */
  abstract readonly proxyTokenDigests: readonly ProxyTokenDigest[];
  /** The issuer of tokens of further admins, and of proxies. */
  abstract readonly adminJwt?: AdminJwtOptions;
  abstract readonly dataDirectory: string;
  abstract readonly logLevel: LogLevel;
  abstract readonly shutdownDelayMs: number;
  abstract readonly shutdownGraceMs: number;
  /** What the file says, or the built-in configuration. */
  abstract readonly settings: ControlPlaneSettings;
  /** What the operator should be told about the environment and the file. */
  abstract readonly warnings: readonly string[];
}

/**
 * @throws {ConfigurationError} with all mistakes of the environment and of the configuration file at once, by name of the
 * variable or by place and key, without secret values
 */
export function loadConfig(environment: Environment = process.env): ControlPlaneConfig {
  const file = loadConfigurationFile(environment);
  const values = loadTogether(file, () =>
    loadVariables(CONTROL_PLANE_VARIABLES, environment, {
      rules: [
        strongTokenInProduction(CONTROL_PLANE_VARIABLES, 'adminToken'),
        STORE.rule,
        wholeAdminJwt(ADMIN_JWT_AUDIENCE),
      ],
      foreignPrefixes: [
        'SVC_SCIM_',
        'SVC_STORE_ISOLATION_',
        'SVC_STORE_MAX_',
        'SVC_STORE_CONNECTIONS_',
        'SVC_ADMIN_JWT_PROVIDERS_CLAIM',
      ],
    }),
  );
  const { listen, warnings } = settleListen(environment, values.listen, values.settings.listen);
  const adminJwt = adminJwtOf(values);
  return Object.freeze({
    ...values,
    listen,
    storeUrl: STORE.urlOf(values),
    adminJwt: adminJwt && {
      ...adminJwt,
      proxyClaims: { poolClaim: values.proxyJwtPoolClaim, idPrefixClaim: values.proxyJwtIdPrefixClaim },
    },
    warnings: Object.freeze([
      ...values.warnings,
      ...warnings,
      ...warnOfBuiltIn(values.mode, values.configFile),
      ...file.warnings,
    ]),
  });
}
