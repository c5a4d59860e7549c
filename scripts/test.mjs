/**
 * `npm test`: builds, starts the servers that contract and end-to-end tests run against (those that PALISADE_TEST_…
 * variables name excepted), runs all suites and ends with one line of numbers. Arguments go to Jest:
 * `npm test -- namespace --selectProjects unit`, which starts no server.
 */
import process from 'node:process';
import { PACKAGES, PROGRAMS, build } from './lib/build.mjs';
import { runJest } from './lib/jest.mjs';
import { needsServices } from './lib/test-services/needs-services.mjs';
import { prepareTestServices, startTestServices } from './lib/test-services/test-services.mjs';

/** Why the run counts as failed although no test failed; undefined when it does not count as failed. */
function findFault({ code, counts, hung }) {
  if (hung) {
    return 'All tests had finished, but something that one of them left open kept Jest from exiting; it was killed.';
  }
  if (counts === undefined) {
    return 'Jest ended before it reported results.';
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

/** However the run is ended, its servers are stopped and removed. */
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => interruption.abort());
}

async function runSuites(args, prepared) {
  const services = await startTestServices(prepared);
  try {
    return await runJest(args, services.env, interruption.signal);
  } finally {
    await services.stop();
  }
}

async function runBuiltSuites(args) {
  // Report what is missing before doing anything else.
  const prepared = needsServices(args) ? await prepareTestServices(interruption.signal) : undefined;
  // Some suites run the example as a process, and one installs the packages.
  if (!(await build([...PROGRAMS, 'data-proxy', PACKAGES]))) {
    await prepared?.remove();
    return undefined;
  }
  return prepared === undefined ? runJest(args, {}, interruption.signal) : runSuites(args, prepared);
}

async function test(args) {
  const result = await runBuiltSuites(args);
  if (result === undefined) {
    return 1;
  }
  const fault = findFault(result);
  if (fault !== undefined) {
    console.error(`\n${fault}`);
  }
  console.log(`\n${summarise(result.counts ?? { passed: 0, failed: 0, skipped: 0 })}`);
  return fault === undefined ? result.code : 1;
}

try {
  process.exitCode = await test(process.argv.slice(2));
} catch (error) {
  console.error(interruption.signal.aborted ? 'Interrupted.' : `\n${error.message}`);
  process.exitCode = 1;
}
