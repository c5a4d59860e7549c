import {
  adminJwtOf,
  ConfigurationError,
  loadVariables,
  strongTokenInProduction,
  wholeAdminJwt,
  type Environment,
} from '@palisade/platform';
import { ADMIN_JWT_AUDIENCE, CONTROL_PLANE_VARIABLES, STORE } from './control-plane.variables.js';
import { readConfiguration, type ReadSettings } from './read-settings.js';
import { formatAddress } from './schema/places.js';
import { UnreadableFileError } from './text-file.js';

const { configFile: FILE, listen: LISTEN } = CONTROL_PLANE_VARIABLES;

/**
 * @throws {ConfigurationError} with all mistakes of the environment and of the configuration file at once, by name of the
 * variable or by place and key, without secret values
 */
export function loadConfig(environment: Environment = process.env) {
  const { settings, problems, warnings } = readNamedFile(environment);
  const values = loadVariables(CONTROL_PLANE_VARIABLES, environment, {
    rules: [
      strongTokenInProduction(CONTROL_PLANE_VARIABLES, 'adminToken'),
      STORE.rule,
      wholeAdminJwt(ADMIN_JWT_AUDIENCE),
      ...problems.map((problem) => ({ needs: [], check: () => problem })),
    ],
    foreignPrefixes: [
      'SVC_SCIM_',
      'SVC_STORE_ISOLATION_',
      'SVC_STORE_MAX_',
      'SVC_STORE_CONNECTIONS_',
      'SVC_ADMIN_JWT_PROVIDERS_CLAIM',
    ],
  });
  if (settings === undefined) {
    throw new ConfigurationError(problems);
  }
  // The variable wins over the file, and the file over the default of the variable.
  const isListenGiven = Boolean(environment[LISTEN.name]?.trim());
  const listen = isListenGiven ? values.listen : (settings.listen ?? values.listen);
  const ours: string[] = [];
  if (settings.listen !== undefined && formatAddress(settings.listen) !== formatAddress(listen)) {
    const ofFile = formatAddress(settings.listen);
    ours.push(`${LISTEN.name}: ${formatAddress(listen)} is used, not ${ofFile} as the file says`);
  }
  if (values.mode === 'production' && values.configFile === undefined) {
    ours.push(`${FILE.name}: not set, so the built-in configuration for development is used`);
  }
  const adminJwt = adminJwtOf(values);
  return Object.freeze({
    ...values,
    listen,
    storeUrl: STORE.urlOf(values),
    /** The issuer of tokens of further admins, and of proxies. */
    adminJwt: adminJwt && {
      ...adminJwt,
      proxyClaims: { poolClaim: values.proxyJwtPoolClaim, idPrefixClaim: values.proxyJwtIdPrefixClaim },
    },
    /** What the file says, or the built-in configuration. */
    settings,
    /** What the operator should be told about the environment and the file. */
    warnings: Object.freeze([...values.warnings, ...ours, ...warnings]),
  });
}

// Nest injects by class; the type of its instances is inferred.
const Loaded = Object as unknown as abstract new () => ReturnType<typeof loadConfig>;

/** What the service runs with; made once, before Nest starts. */
export abstract class ControlPlaneConfig extends Loaded {}

/** The file that the environment names. */
export function findConfigurationFile(environment: Environment = process.env): string | undefined {
  return environment[FILE.name]?.trim() || undefined;
}

function readNamedFile(environment: Environment): ReadSettings {
  const path = findConfigurationFile(environment);
  if (path !== undefined && FILE.parse(path) === undefined) {
    // That it cannot be read is a problem of the variable.
    return { problems: [], warnings: [] };
  }
  try {
    return readConfiguration(path);
  } catch (error) {
    if (error instanceof UnreadableFileError) {
      return { problems: [`${FILE.name}: ${error.message}`], warnings: [] };
    }
    throw error;
  }
}
