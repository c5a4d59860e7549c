/**
 * What a change must pass before it is committed, without any service: `npm run check`. Names pick some of the checks:
 * `npm run check -- lint types`.
 */
import process from 'node:process';
import { JEST_ENV } from './lib/jest.mjs';
import { elapsed, run } from './lib/run.mjs';

const CHECKS = {
  format: () => run('prettier', ['--check', '--log-level', 'warn', '.']),
  lint: () => run('oxlint', ['--deny-warnings']),
  deps: () => run('npm', ['run', '--silent', 'deps']),
  types: () => run('tsc', ['--noEmit', '-p', 'tsconfig.json']),
  compliance: () => run('node', ['scripts/compliance.mjs', '--check']),
  unit: () => run('jest', ['--selectProjects', 'unit'], JEST_ENV),
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(CHECKS);
const unknown = names.filter((name) => !Object.hasOwn(CHECKS, name));
if (unknown.length > 0) {
  console.error(`No such check: ${unknown.join(', ')}. There are: ${Object.keys(CHECKS).join(', ')}.`);
  process.exit(2);
}

const failed = [];
for (const name of names) {
  const startedAt = performance.now();
  const code = await CHECKS[name]();
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${elapsed(startedAt)})`);
  if (code !== 0) {
    failed.push(name);
  }
}
console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
