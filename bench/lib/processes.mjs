import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const START_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 5;
const ANSWER_TIMEOUT_MS = 5000;
const STOP_TIMEOUT_MS = 10_000;
const LOG_TAIL_LENGTH = 4000;

let started = 0;

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {readonly string[]} args of Node: options, and the file to run
 * @property {number} port that it will listen on
 * @property {Record<string, string>} environment
 * @property {string} readyPath
 * @property {(status: number) => boolean} [isReady] by default any answer will do
 */

/**
 * @typedef {object} RunningProgram
 * @property {string} origin
 * @property {number} pid
 * @property {number} startMs from the spawn to the first answer on `readyPath`
 * @property {() => Promise<void>} stop
 */

/**
 * Runs a Node program with nothing of this process's environment but what it needs to find itself; all of its output
 * goes to a file, which a failed start shows. It is stopped at the latest when the workspace closes.
 *
 * @param {import('./workspace.mjs').Workspace} workspace
 * @param {Program} program
 * @returns {Promise<RunningProgram>}
 */
export async function startProgram(workspace, { name, args, port, environment, readyPath, isReady = () => true }) {
  const log = join(workspace.directory, `${++started}-${name}.log`);
  const output = openSync(log, 'w');
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  workspace.defer(() => child && stop(child));
  const spawnedAt = performance.now();
  child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', HOME: workspace.directory, NODE_ENV: 'production', ...environment },
    cwd: workspace.directory,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const origin = `http://127.0.0.1:${port}`;
  const deadline = spawnedAt + START_TIMEOUT_MS;
  while (!(await answers(`${origin}${readyPath}`, isReady))) {
    if (hasEnded(child) || performance.now() > deadline) {
      throw new Error(`${name} did not start:\n${readFileSync(log, 'utf8').slice(-LOG_TAIL_LENGTH)}`);
    }
    await sleep(POLL_INTERVAL_MS);
  }
  const startMs = performance.now() - spawnedAt;
  return { origin, pid: /** @type {number} */ (child.pid), startMs, stop: () => stop(child) };
}

/** @param {string} url @param {(status: number) => boolean} isReady */
async function answers(url, isReady) {
  try {
    const response = await fetch(url, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return isReady(response.status);
  } catch {
    return false;
  }
}

/** @param {import('node:child_process').ChildProcess} child */
function hasEnded(child) {
  return child.exitCode !== null || child.signalCode !== null;
}

/** @param {import('node:child_process').ChildProcess} child */
async function stop(child) {
  if (hasEnded(child)) {
    return;
  }
  const exit = once(child, 'exit');
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  child.kill('SIGTERM');
  await exit;
  clearTimeout(killer);
}
