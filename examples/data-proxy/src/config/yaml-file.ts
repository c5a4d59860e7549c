import { readFileSync, statSync } from 'node:fs';
import { ConfigurationError } from '@palisade/platform';
import { parse } from 'yaml';

const MAX_BYTES = 1_048_576;

/**
 * What a YAML (or JSON) file says.
 *
 * @throws {ConfigurationError} that names the file
 */
export function readYamlFile(path: string): unknown {
  try {
    if (statSync(path).size > MAX_BYTES) {
      throw new RangeError(`expected at most ${MAX_BYTES} bytes`);
    }
    // Aliases are how a small file becomes a large object.
    return parse(readFileSync(path, 'utf8'), { maxAliasCount: 0 });
  } catch (error) {
    throw new ConfigurationError([`${path}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
