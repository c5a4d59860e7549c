import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { peakMib } from './peak-memory.mjs';

const PALISADE = fileURLToPath(new URL('../../dist/cli/src/main.js', import.meta.url));
const MEMORY_INTERVAL_MS = 20;

/**
 * @typedef {object} Imported
 * @property {number} seconds of the whole process, from its start to its end
 * @property {number} peakMib of its resident memory
 * @property {number} serviceMib most resident memory of the service since its start
 * @property {number} present
 */

/**
 * Runs `palisade import` to its end.
 *
 * @param {import('../lib/palisade.mjs').ScimServer} service
 * @param {'users' | 'groups'} kind
 * @param {string} path
 * @returns {Promise<Imported>}
 * @throws {Error} unless all of it has been imported
 */
export async function importFile(service, kind, path) {
  const startedAt = performance.now();
  const child = startImport(service, kind, path);
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakMib(/** @type {number} */ (child.pid)) ?? 0);
  }, MEMORY_INTERVAL_MS);
  const { code, out, error } = await ended(child);
  clearInterval(watch);
  if (code !== 0) {
    throw new Error(`palisade import ended with ${code}: ${out.slice(-500)}${error.slice(-500)}`);
  }
  const { present } = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, peakMib: peak, serviceMib: peakMib(service.pid) ?? 0, present };
}

/**
 * @param {import('../lib/palisade.mjs').ScimServer} service
 * @param {'users' | 'groups'} kind
 * @param {string} path
 */
export function startImport({ client, origin }, kind, path) {
  return spawn(process.execPath, [PALISADE, 'import', kind, path], {
    env: { PATH: process.env.PATH, PALISADE_SCIM_URL: origin, PALISADE_PROVIDER_TOKEN: client.token },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child */
async function ended(child) {
  let [out, error] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    error += text;
  });
  const [code] = await once(child, 'close');
  return { code, out, error };
}
