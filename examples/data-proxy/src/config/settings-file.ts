import { readFileSync, statSync } from 'node:fs';
import { isObject } from '@palisade/domain';
import { ConfigurationError } from '@palisade/platform';
import { LineCounter, YAMLParseError, parse } from 'yaml';

const MAX_BYTES = 1_048_576;

/**
 * What a YAML (or JSON) file says.
 *
 * @throws {ConfigurationError} that names the file, without quoting it
 */
export function readYamlFile(path: string): unknown {
  const lineCounter = new LineCounter();
  try {
    if (statSync(path).size > MAX_BYTES) {
      throw new RangeError(`expected at most ${MAX_BYTES} bytes`);
    }
    // Aliases are how a small file becomes a large object.
    return parse(readFileSync(path, 'utf8'), { maxAliasCount: 0, prettyErrors: false, lineCounter });
  } catch (error) {
    throw new ConfigurationError([`${path}: ${explain(error, lineCounter)}`]);
  }
}

function explain(error: unknown, lines: LineCounter): string {
  if (error instanceof YAMLParseError) {
    // Its message holds what was found, which may be a key instead of its digest.
    const { line, col: column } = lines.linePos(error.pos[0]);
    return `line ${line}, column ${column}: not YAML (${error.code})`;
  }
  return error instanceof Error ? error.message : String(error);
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
