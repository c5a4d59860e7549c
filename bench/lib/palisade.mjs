import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePorts } from '../../scripts/lib/test-services/free-ports.mjs';
import { startProgram } from './processes.mjs';
import { ScimClient } from './scim-client.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A program that answers SCIM requests, with a client for it.
 *
 * @typedef {import('./processes.mjs').RunningProgram & { readonly name: string, readonly client: ScimClient }} ScimServer
 */

/**
 * Starts the built service as `npm run start:scim` runs it.
 *
 * @param {import('./workspace.mjs').Workspace} workspace
 * @param {string} storeUrl
 * @param {Record<string, string>} [settings] further environment variables
 * @returns {Promise<ScimServer>} ready for requests
 */
export async function startPalisade(workspace, storeUrl, settings = {}) {
  const [port] = await findFreePorts(1);
  const token = createToken();
  const environment = {
    SVC_SCIM_LISTEN: `127.0.0.1:${port}`,
    SVC_SCIM_BEARER_TOKEN: token,
    SVC_ADMIN_TOKEN: createToken(),
    SVC_STORE_URL: storeUrl,
    SVC_DATA_DIR: workspace.directory,
    SVC_LOG_LEVEL: 'warn',
    // In production the service does not start on the memory store; the mode changes nothing that is measured.
    ...(storeUrl === 'memory:' ? { NODE_ENV: 'development' } : {}),
    ...settings,
  };
  const program = { name: 'palisade', args: palisadeArgs(), port, environment };
  return startScimServer(workspace, { ...program, readyPath: '/health/ready', isReady: isOk }, '/scim/v2', token);
}

/**
 * @param {import('./workspace.mjs').Workspace} workspace
 * @param {import('./processes.mjs').Program} program
 * @param {string} path of its SCIM endpoints
 * @param {string} token
 * @returns {Promise<ScimServer>}
 */
export async function startScimServer(workspace, program, path, token) {
  const running = await startProgram(workspace, program);
  const client = new ScimClient(running.origin + path, token);
  const stop = () => {
    client.close();
    return running.stop();
  };
  return { ...running, stop, name: program.name, client };
}

/** @param {number} status */
function isOk(status) {
  return status === 200;
}

export function createToken() {
  return randomBytes(24).toString('base64url');
}

/** The arguments of Node in the package script, with an absolute path of the file. */
function palisadeArgs() {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const [, args] = /\bnode (.*)$/.exec(scripts['start:scim']) ?? [];
  if (args === undefined) {
    throw new Error(`expected the script start:scim to run node, found ${scripts['start:scim']}`);
  }
  return args.split(' ').map((arg) => (arg.startsWith('-') ? arg : join(ROOT, arg)));
}
