import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startProgram } from '../lib/processes.mjs';
import { findFreePorts } from '../../scripts/lib/test-services/free-ports.mjs';

const MAIN = join(import.meta.dirname, '../../dist/apps/control-plane/src/main.js');
const TOKEN = randomBytes(24).toString('base64url');

/**
 * Starts the built service as `npm run start:control` does; resolves when it is ready.
 *
 * @param {import('../lib/workspace.mjs').Workspace} workspace
 * @param {Record<string, string>} environment
 * @param {number} [port] by default a free one
 */
export async function startControlPlane(workspace, environment, port) {
  port ??= (await findFreePorts(1))[0];
  const program = await startProgram(workspace, {
    name: 'control-plane',
    args: ['--enable-source-maps', '--max-semi-space-size=8', MAIN],
    port,
    readyPath: '/health/ready',
    isReady: (status) => status === 200,
    environment: {
      SVC_CONTROL_LISTEN: `127.0.0.1:${port}`,
      SVC_ADMIN_TOKEN: TOKEN,
      SVC_LOG_LEVEL: 'warn',
      ...environment,
    },
  });
  return {
    ...program,
    token: TOKEN,
    post: (/** @type {string} */ path, /** @type {object} */ body) => send(program.origin, 'POST', path, body),
    put: (/** @type {string} */ path, /** @type {object} */ body) => send(program.origin, 'PUT', path, body),
    get: (/** @type {string} */ path) => send(program.origin, 'GET', path),
  };
}

/** @param {string} origin @param {string} method @param {string} path below `/api/v1` @param {object} [body] */
async function send(origin, method, path, body) {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
  }
  return text === '' ? undefined : JSON.parse(text);
}
