import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { start } from './run.mjs';

/** If Jest's process is still running this long after the last test, a test has left something open. */
const END_TIMEOUT_MS = 15_000;
const POLL_MS = 500;

/**
 * Runs Jest with its usual output, until `signal` aborts it. Resolves to `code`, `counts` (undefined when there are no
 * results) and `hung`: all tests had finished, but the process did not exit and was killed.
 */
export async function runJest(args, env, signal) {
  const directory = mkdtempSync(join(tmpdir(), 'palisade-jest-'));
  const outputFile = join(directory, 'results.json');
  try {
    const jest = start('jest', [...args, '--json', `--outputFile=${outputFile}`], env);
    const ended = once(jest, 'exit');
    const stop = () => jest.kill();
    signal.addEventListener('abort', stop);
    if (signal.aborted) {
      stop();
    }
    const hung = await Promise.race([ended.then(() => false), untilHung(outputFile)]);
    if (hung) {
      jest.kill('SIGKILL');
    }
    const [code] = await ended;
    return { code: code ?? 1, counts: readCounts(outputFile), hung };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Resolves to true some time after the results have appeared. Does not keep the process alive. */
async function untilHung(outputFile) {
  while (!existsSync(outputFile)) {
    await sleep(POLL_MS, undefined, { ref: false });
  }
  return sleep(END_TIMEOUT_MS, true, { ref: false });
}

function readCounts(path) {
  try {
    const results = JSON.parse(readFileSync(path, 'utf8'));
    return {
      passed: results.numPassedTests,
      failed: results.numFailedTests,
      skipped: results.numPendingTests + results.numTodoTests,
      brokenSuites: results.numRuntimeErrorTestSuites,
      skippedSuites: results.numPendingTestSuites,
    };
  } catch {
    return undefined;
  }
}
