/**
 * The checks that a change must pass before it is committed; they need no servers: `npm run check`. Names select some of them:
 * `npm run check -- lint types`. `audit` needs the registry: if that is unreachable the check is SKIPPED, which counts
 * as a failure with `--strict`, for releases.
 */
import process from 'node:process';
import { NOT_ASKED, elapsed, run } from './lib/run.mjs';

const CHECKS = {
  format: () => run('prettier', ['--check', '--log-level', 'warn', '.']),
  lint: () => run('oxlint', ['--deny-warnings']),
  deps: () => run('npm', ['run', '--silent', 'deps']),
  types: () => run('tsc', ['--noEmit', '-p', 'tsconfig.json']),
  compliance: () => run('node', ['scripts/compliance.mjs', '--check']),
  licences: () => run('node', ['scripts/licences.mjs']),
  audit: () => run('node', ['scripts/advisories.mjs']),
  unit: () => run('jest', ['--selectProjects', 'unit']),
};

const STRICT = '--strict';

const given = process.argv.slice(2);
const isStrict = given.includes(STRICT);
const chosen = given.filter((name) => name !== STRICT);
const names = chosen.length > 0 ? chosen : Object.keys(CHECKS);
const unknown = names.filter((name) => !Object.hasOwn(CHECKS, name));
if (unknown.length > 0) {
  console.error(`Unknown check: ${unknown.join(', ')}. Available: ${Object.keys(CHECKS).join(', ')}.`);
  process.exit(2);
}

const results = { ok: [], SKIPPED: [], FAILED: [] };
for (const name of names) {
  const startedAt = performance.now();
  const code = await CHECKS[name]();
  const result = resultOf(code);
  console.log(`${result.padEnd(7)} ${name} (${elapsed(startedAt)})`);
  results[result].push(name);
}
if (results.FAILED.length > 0) {
  console.log(`Failed: ${results.FAILED.join(', ')}.`);
} else if (results.SKIPPED.length > 0) {
  console.log(`No check failed, but ${results.SKIPPED.join(', ')} could not be run.`);
} else {
  console.log('All checks passed.');
}
process.exitCode = results.FAILED.length === 0 ? 0 : 1;

function resultOf(code) {
  if (code === NOT_ASKED && !isStrict) {
    return 'SKIPPED';
  }
  return code === 0 ? 'ok' : 'FAILED';
}
