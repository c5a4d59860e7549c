import { readFileSync, statSync } from 'node:fs';
import { isObject, messageOf } from '@palisade/domain';
import { ConfigurationError } from '@palisade/platform';
import { load, YAMLException } from 'js-yaml';

const MAX_BYTES = 1_048_576;

/**
 * What a YAML (or JSON) file says.
 *
 * @throws {ConfigurationError} that names the file, without quoting it
 */
export function readYamlFile(path: string): unknown {
  try {
    if (statSync(path).size > MAX_BYTES) {
      throw new RangeError(`expected at most ${MAX_BYTES} bytes`);
    }
    // Aliases are how a small file becomes a large object.
    return load(readFileSync(path, 'utf8'), { maxAliases: 0 });
  } catch (error) {
    throw new ConfigurationError([`${path}: ${explain(error)}`]);
  }
}

function explain(error: unknown): string {
  if (error instanceof YAMLException) {
    // Its message quotes the file, which may hold a key instead of the key's digest; the reason does not.
    const { reason, mark: { line, column } = { line: 0, column: 0 } } = error;
    return `line ${line + 1}, column ${column + 1}: not YAML: ${reason}`;
  }
  return messageOf(error);
}

export const BACKENDS = ['postgres', 'redis', 'nats', 'kafka'] as const;
export type Backend = (typeof BACKENDS)[number];

/**
 * Settings for the backends that are on. What is not as the isolation library wants it stays as it is, so that it says so.
 */
export function fitSettings(settings: unknown, isOn: ReadonlySet<Backend>): unknown {
  if (!isObject(settings) || !isObject(settings['connection_pools'])) {
    return settings;
  }
  const pools = Object.entries(settings['connection_pools']).filter(([name]) => !isBackend(name) || isOn.has(name));
  return { ...settings, connection_pools: Object.fromEntries(pools) };
}

function isBackend(name: string): name is Backend {
  return BACKENDS.some((backend) => backend === name);
}
