import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Changes with any file that the chart is rendered from, and with a file of values. */
export function chartDigest(chart, values) {
  const hash = createHash('sha256');
  for (const file of globSync('{*.yaml,*.json,templates/*}', { cwd: chart }).toSorted()) {
    hash.update(`${file}\n${readFileSync(join(chart, file), 'utf8')}\n`);
  }
  if (values !== undefined) {
    hash.update(readFileSync(values, 'utf8'));
  }
  return hash.digest('hex').slice(0, 16);
}
