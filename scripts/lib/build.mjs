import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, elapsed, run } from './run.mjs';

export const PROGRAMS = ['scim-service', 'control-plane', 'cli'];
/** What `npm pack` takes of libs and cli. */
export const PACKAGES = 'packages';
const INPUTS = [
  '{apps,examples,libs}/*/src/**/*.ts',
  'cli/src/**/*.ts',
  '{apps,examples}/*/tsconfig.app.json',
  'cli/tsconfig.app.json',
  '{libs/*,cli}/package.json',
  'tsconfig.json',
  'nest-cli.json',
  'package-lock.json',
];

const recordOf = (app) => join(ROOT, `dist/.${app}-built-from`);

/**
 * Builds apps, by default both services and the command line, into dist/, unless they are up to date, and prints how long it
 * took. Resolves to false when one does not compile; the compiler has printed why.
 */
export async function build(apps = PROGRAMS) {
  const inputs = fingerprint();
  const outdated = apps.filter((app) => readRecord(app) !== inputs);
  if (outdated.length === 0) {
    return true;
  }
  outdated.forEach((app) => rmSync(recordOf(app), { force: true }));
  const startedAt = performance.now();
  const codes = await Promise.all(outdated.map((app) => run(...commandOf(app))));
  if (codes.some((code) => code !== 0)) {
    console.error('The build failed.');
    return false;
  }
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  outdated.forEach((app) => writeFileSync(recordOf(app), inputs));
  console.log(`Built ${new Intl.ListFormat('en-GB').format(outdated)} in ${elapsed(startedAt)}.`);
  return true;
}

function commandOf(app) {
  return app === PACKAGES ? ['node', ['scripts/lib/compile-packages.mjs']] : ['nest', ['build', app]];
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

function readRecord(app) {
  try {
    return readFileSync(recordOf(app), 'utf8');
  } catch {
    return undefined;
  }
}
