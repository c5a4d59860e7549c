import { stringify } from 'yaml';
import { BUILT_IN_FILE } from './built-in-file.js';
import { ControlPlaneFile } from '../settings/dto/control-plane-file.js';
import { readSettings, readSettingsFrom, type ReadSettings } from './read-settings.js';
import { readConfigurationText } from './read-settings-file.js';
import { toJsonSchema } from '../settings/reference/json-schema.js';
import { toPlainData } from '../settings/sections/to-plain.js';

/** What a command wrote, and how the process ends: 0 when the file is valid, 1 when it has problems. */
export interface CommandResult {
  readonly output: string;
  /** For standard error: problems and warnings. */
  readonly messages: readonly string[];
  readonly exitCode: 0 | 1;
}

const BUILT_IN_NAME = 'the built-in configuration';

/**
 * Whether a file can be used, and why not. Without a path: the built-in configuration.
 *
 * @throws {UnreadableFileError}
 */
export function validateConfiguration(path: string | undefined): CommandResult {
  return report(path, ({ settings }) => {
    const { deployment, pools, routing } = settings;
    const routes = routing.namespaceRoutes.length;
    return `${path ?? BUILT_IN_NAME} is valid: ${deployment.model}, ${pools.size} pools, ${routes} routes, ${routing.rules.length} rules\n`;
  });
}

/**
 * A file as it takes effect, with everything that it leaves to defaults. There are no secrets in it, only the names of
 * files that hold them. Without a path: the built-in configuration.
 *
 * @throws {UnreadableFileError}
 */
export function printConfiguration(path: string | undefined): CommandResult {
  return report(path, ({ completed }) =>
    stringify(toPlainData(completed), { aliasDuplicateObjects: false, lineWidth: 0 }),
  );
}

/** JSON Schema of the file, for editors. */
export function printSchema(): CommandResult {
  return { output: `${JSON.stringify(configurationSchema(), undefined, 2)}\n`, messages: [], exitCode: 0 };
}

export function configurationSchema(): Readonly<Record<string, unknown>> {
  const description = { title: 'Palisade control plane', id: 'urn:palisade:control-plane' };
  return {
    ...toJsonSchema(ControlPlaneFile, description),
    // Two names of one section.
    dependencies: { control_plane: { properties: { prism_bridge: false } } },
  };
}

type Valid = Required<Pick<ReadSettings, 'settings' | 'completed'>>;

function report(path: string | undefined, describe: (valid: Valid) => string): CommandResult {
  const { settings, completed, problems, warnings } =
    path === undefined ? readSettingsFrom(BUILT_IN_FILE) : readSettings(readConfigurationText(path), path);
  const told = warnings.map((warning) => `warning: ${warning}`);
  if (settings === undefined || completed === undefined) {
    return { output: '', messages: [...problems, ...told], exitCode: 1 };
  }
  return { output: describe({ settings, completed }), messages: told, exitCode: 0 };
}
