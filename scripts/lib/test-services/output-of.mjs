import { execFile } from 'node:child_process';

/** Runs a command to its end. Resolves to `succeeded` and all its `output`; a command that does not exist has failed. */
export function outputOf(command, args, options = {}) {
  const { promise, resolve } = Promise.withResolvers();
  execFile(command, args, { maxBuffer: 64 * 1024 * 1024, ...options }, (error, stdout, stderr) => {
    const output = `${stdout}${stderr}`.trim();
    resolve({ succeeded: error === null, output: output || (error?.message ?? '') });
  });
  return promise;
}
