/**
 * `npm test`: builds, starts the PostgreSQL server that contract and end-to-end tests use (unless
 * PALISADE_TEST_POSTGRES_URL names one), runs all suites and ends with one line of numbers. Arguments go to Jest:
 * `npm test -- namespace --selectProjects unit`.
 */
import process from 'node:process';
import { build } from './lib/build.mjs';
import { runJest } from './lib/jest.mjs';
import { startTestPostgres } from './lib/test-postgres.mjs';

/** Why the run counts as failed although no test failed; undefined when it does not. */
function findFault({ code, counts, hung }) {
  if (hung) {
    return 'All tests were over, but something that one of them left open kept Jest from ending; it was killed.';
  }
  if (counts === undefined) {
    return 'Jest ended before it could count.';
  }
  if (counts.brokenSuites > 0) {
    return `${counts.brokenSuites} suites could not run.`;
  }
  if (counts.skippedSuites > 0) {
    return `${counts.skippedSuites} suites were skipped as a whole.`;
  }
  if (counts.passed + counts.failed === 0) {
    return 'No test ran.';
  }
  return code === 0 || counts.failed > 0 ? undefined : `Jest ended with ${code}.`;
}

function summarise({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** However the run is ended, its database is stopped and removed. */
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => interruption.abort());
}

async function runSuites() {
  const postgres = await startTestPostgres();
  try {
    return await runJest(process.argv.slice(2), { PALISADE_TEST_POSTGRES_URL: postgres.url }, interruption.signal);
  } finally {
    await postgres.stop();
  }
}

async function test() {
  if (!(await build())) {
    return 1;
  }
  const result = await runSuites();
  const fault = findFault(result);
  if (fault !== undefined) {
    console.error(`\n${fault}`);
  }
  console.log(`\n${summarise(result.counts ?? { passed: 0, failed: 0, skipped: 0 })}`);
  return fault === undefined ? result.code : 1;
}

process.exitCode = await test();
