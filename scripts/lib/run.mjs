import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { text as readText } from 'node:stream/consumers';

export const ROOT = join(import.meta.dirname, '../..');

const PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter);

/** Starts a command in the root of the workspace, with our output as its output. */
export function start(command, args, env = {}) {
  const shell = process.platform === 'win32';
  return spawn(command, args, { cwd: ROOT, env: { ...process.env, PATH, ...env }, stdio: 'inherit', shell });
}

/** Runs a command to its end. Resolves to its exit code, 1 when a signal ended it. */
export async function run(command, args, env = {}) {
  const [code] = await once(start(command, args, env), 'exit');
  return code ?? 1;
}

/** Exit code of a check that could not be run: neither passed nor failed. */
export const NOT_ASKED = 75;

/** Runs a command to its end, whatever its exit code. Resolves to its standard output. */
export async function output(command, args) {
  const shell = process.platform === 'win32';
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
    shell,
  });
  const [text] = await Promise.all([readText(child.stdout), once(child, 'exit')]);
  return text;
}

/** `1.2 s` since `startedAt` (of performance.now()). */
export function elapsed(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}
