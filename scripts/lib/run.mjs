import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import process from 'node:process';

export const ROOT = join(import.meta.dirname, '../..');

const PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter);

/** Starts a command in the root of the workspace; its output goes where ours goes. */
export function start(command, args, env = {}) {
  const shell = process.platform === 'win32';
  return spawn(command, args, { cwd: ROOT, env: { ...process.env, PATH, ...env }, stdio: 'inherit', shell });
}

/** Runs a command to its end. Resolves to its exit code, 1 when a signal ended it. */
export async function run(command, args, env = {}) {
  const [code] = await once(start(command, args, env), 'exit');
  return code ?? 1;
}

/** `1.2 s` since `startedAt` (of performance.now()). */
export function elapsed(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}
