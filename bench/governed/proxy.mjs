import { join } from 'node:path';
import { findFreePorts } from '../../scripts/lib/test-services/free-ports.mjs';
import { startProgram } from '../lib/processes.mjs';

/**
 * Starts a proxy as a process of its own; resolves when it is ready.
 *
 * @param {import('../lib/workspace.mjs').Workspace} workspace
 * @param {object} options
 * @param {string} options.id
 * @param {string} options.pool
 * @param {string} options.url of the control plane
 * @param {string} options.token
 * @param {string} options.databaseUrl of the backend
 * @param {object} options.settings of the library
 */
export async function startProxy(workspace, { id, ...options }) {
  const [port] = await findFreePorts(1);
  const copyFile = join(workspace.directory, `${id}-policy.json`);
  const program = await startProgram(workspace, {
    name: `proxy-${id}`,
    args: ['--enable-source-maps', '--expose-gc', join(import.meta.dirname, 'proxy-worker.mjs')],
    port,
    readyPath: '/health/ready',
    isReady: (status) => status === 200,
    environment: { BENCH_PROXY: JSON.stringify({ id, port, copyFile, ...options }) },
  });
  return {
    ...program,
    id,
    port,
    /** Has the worker do one of its `COMMANDS`. @param {string} name @param {object} [parameters] @returns {Promise<any>} */
    async tell(name, parameters = {}) {
      const response = await fetch(`${program.origin}/${name}`, { method: 'POST', body: JSON.stringify(parameters) });
      const text = await response.text();
      if (!response.ok) {
        throw new Error(`proxy ${id} answered ${response.status} to ${name}: ${text}`);
      }
      return JSON.parse(text);
    },
  };
}
