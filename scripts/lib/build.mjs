import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, elapsed, run } from './run.mjs';

const APPS = ['scim-service', 'control-plane'];
const INPUTS = [
  '{apps,libs}/*/src/**/*.ts',
  'apps/*/tsconfig.app.json',
  'tsconfig.json',
  'nest-cli.json',
  'package-lock.json',
];
const RECORD = join(ROOT, 'dist/.built-from');

/**
 * Builds both apps into dist/, unless that has been done since the last change, and says how long it took. False when
 * one does not compile; the compiler has said why.
 */
export async function build() {
  const inputs = fingerprint();
  if (readRecord() === inputs) {
    return true;
  }
  rmSync(RECORD, { force: true });
  const startedAt = performance.now();
  const codes = await Promise.all(APPS.map((app) => run('nest', ['build', app])));
  if (codes.some((code) => code !== 0)) {
    console.error('The build failed.');
    return false;
  }
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(RECORD, inputs);
  console.log(`Built ${APPS.join(' and ')} in ${elapsed(startedAt)}.`);
  return true;
}

/** Changes whenever a source is added, removed or written. */
function fingerprint() {
  const hash = createHash('sha256');
  const files = INPUTS.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter(
    (file) => !file.endsWith('.spec.ts'),
  );
  for (const file of files.toSorted()) {
    const { size, mtimeMs } = statSync(join(ROOT, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function readRecord() {
  try {
    return readFileSync(RECORD, 'utf8');
  } catch {
    return undefined;
  }
}
