import type { HostPort } from '@palisade/domain';
import { ConfigurationError, type Environment } from '@palisade/platform';
import type { ControlPlaneSettings } from './control-plane-settings.js';
import { BUILT_IN_FILE, readSettings, readSettingsFrom, type ReadSettings } from './read-settings.js';
import { formatAddress } from './schema/places.js';
import { MAX_FILE_BYTES, readTextFile, UnreadableFileError } from './text-file.js';
import { CONTROL_PLANE_VARIABLES } from './control-plane.variables.js';

const { configFile: FILE, listen: LISTEN } = CONTROL_PLANE_VARIABLES;

/** The file that the environment names. */
export function findConfigurationFile(environment: Environment = process.env): string | undefined {
  return environment[FILE.name]?.trim() || undefined;
}

/** What the file says that the environment names, or the built-in configuration when it names none. */
export function loadConfigurationFile(environment: Environment): ReadSettings {
  const path = findConfigurationFile(environment);
  if (path === undefined) {
    return readSettingsFrom(BUILT_IN_FILE);
  }
  if (FILE.parse(path) === undefined) {
    // That it cannot be read is a problem of the variable.
    return { problems: [], warnings: [] };
  }
  try {
    return readSettings(readTextFile(path, MAX_FILE_BYTES), path);
  } catch (error) {
    if (error instanceof UnreadableFileError) {
      return { problems: [`${FILE.name}: ${error.message}`], warnings: [] };
    }
    throw error;
  }
}

/**
 * Loads variables, whose mistakes are reported together with those of the file.
 *
 * @throws {ConfigurationError}
 */
export function loadTogether<T>(
  file: ReadSettings,
  loadValues: () => T,
): T & { readonly settings: ControlPlaneSettings } {
  try {
    const values = loadValues();
    if (file.settings !== undefined) {
      return { ...values, settings: file.settings };
    }
  } catch (error) {
    if (error instanceof ConfigurationError) {
      throw new ConfigurationError([...error.problems, ...file.problems]);
    }
    throw error;
  }
  throw new ConfigurationError(file.problems);
}

/** Using development's pools in production can only be a mistake. */
export function warnOfBuiltIn(mode: string, configFile: string | undefined): readonly string[] {
  return mode === 'production' && configFile === undefined
    ? [`${FILE.name}: not set, so the built-in configuration for development is used`]
    : [];
}

/** The variable wins over the file, and that over the default of the variable. */
export function settleListen(
  environment: Environment,
  ofVariable: HostPort,
  ofFile: HostPort | undefined,
): { readonly listen: HostPort; readonly warnings: readonly string[] } {
  if (ofFile === undefined || !environment[LISTEN.name]?.trim()) {
    return { listen: ofFile ?? ofVariable, warnings: [] };
  }
  const isSame = ofFile.host === ofVariable.host && ofFile.port === ofVariable.port;
  const warning = `${LISTEN.name}: ${formatAddress(ofVariable)} is used, not ${formatAddress(ofFile)} as the file says`;
  return { listen: ofVariable, warnings: isSame ? [] : [warning] };
}
