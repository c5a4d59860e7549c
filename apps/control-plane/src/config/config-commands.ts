import { dump } from 'js-yaml';
import { configurationSchema } from './reference.js';
import { BUILT_IN_FILE, readSettings, readSettingsFrom, type ReadSettings } from './read-settings.js';
import { MAX_FILE_BYTES, readTextFile } from './text-file.js';

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
  return report(path, ({ complete }) => dump(complete(), { noRefs: true, lineWidth: -1 }));
}

/** JSON Schema of the file, for editors. */
export function printSchema(): CommandResult {
  return { output: `${JSON.stringify(configurationSchema(), undefined, 2)}\n`, messages: [], exitCode: 0 };
}

type Valid = Required<Pick<ReadSettings, 'settings' | 'complete'>>;

function report(path: string | undefined, describe: (valid: Valid) => string): CommandResult {
  const { settings, complete, problems, warnings } =
    path === undefined ? readSettingsFrom(BUILT_IN_FILE) : readSettings(readTextFile(path, MAX_FILE_BYTES), path);
  const told = warnings.map((warning) => `warning: ${warning}`);
  if (settings === undefined || complete === undefined) {
    return { output: '', messages: [...problems, ...told], exitCode: 1 };
  }
  return { output: describe({ settings, complete }), messages: told, exitCode: 0 };
}
