import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram } from './processes.mjs';
import { ScimClient } from './scim-client.mjs';
import { findFreePorts } from '../../scripts/lib/test-services/free-ports.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCIMMY = fileURLToPath(new URL('peers/scimmy.server.mjs', import.meta.url));
const BETTER_AUTH = fileURLToPath(new URL('peers/better-auth.server.mjs', import.meta.url));
const BARE_EXPRESS = fileURLToPath(new URL('bare-express.server.mjs', import.meta.url));

/**
 * A program that answers SCIM requests, with a client for it.
 *
 * @typedef {import('./processes.mjs').RunningProgram & import('./load.mjs').Target} Competitor
 */

/**
 * The built service, as `npm run start:scim` runs it.
 *
 * @param {import('./workspace.mjs').Workspace} workspace
 * @param {string} storeUrl
 * @param {Record<string, string>} [settings] more of its environment
 * @returns {Promise<Competitor>} ready to take requests
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
    // Production refuses to keep everything in memory; otherwise the mode changes nothing that is measured.
    ...(storeUrl === 'memory:' ? { NODE_ENV: 'development' } : {}),
    ...settings,
  };
  const program = { name: 'palisade', args: palisadeArgs(), port, environment };
  return start(workspace, { ...program, readyPath: '/health/ready', isReady: isOk }, '/scim/v2', token);
}

/** @param {import('./workspace.mjs').Workspace} workspace @returns {Promise<Competitor>} */
export async function startScimmy(workspace) {
  const [port] = await findFreePorts(1);
  const token = createToken();
  const program = { name: 'scimmy', args: [SCIMMY], port, environment: { PORT: String(port), TOKEN: token } };
  return start(workspace, { ...program, readyPath: '/' }, '/scim/v2', token);
}

/** @param {import('./workspace.mjs').Workspace} workspace @param {string} databaseUrl @returns {Promise<Competitor>} */
export async function startBetterAuth(workspace, databaseUrl) {
  const [port] = await findFreePorts(1);
  const token = createToken();
  const environment = { PORT: String(port), TOKEN: token, DATABASE_URL: databaseUrl };
  const program = { name: 'better-auth', args: [BETTER_AUTH], port, environment };
  return start(workspace, { ...program, readyPath: '/' }, '/api/auth/scim/v2', token);
}

/**
 * @param {import('./workspace.mjs').Workspace} workspace
 * @param {readonly object[]} users that it answers
 * @returns {Promise<Competitor>}
 */
export async function startBareExpress(workspace, users) {
  const [port] = await findFreePorts(1);
  const file = join(workspace.directory, 'users.json');
  writeFileSync(file, JSON.stringify(users));
  const program = { name: 'bare Express', args: [BARE_EXPRESS], port };
  const environment = { PORT: String(port), USERS_FILE: file };
  return start(workspace, { ...program, environment, readyPath: '/' }, '/scim/v2', '');
}

/**
 * @param {import('./workspace.mjs').Workspace} workspace
 * @param {import('./processes.mjs').Program} program
 * @param {string} path
 * @param {string} token
 */
async function start(workspace, program, path, token) {
  const running = await startProgram(workspace, program);
  const client = new ScimClient(running.origin + path, token);
  const stop = () => {
    client.close();
    return running.stop();
  };
  return { ...running, stop, name: program.name, client };
}

/** Node's arguments in the script, with the file's path made absolute. */
function palisadeArgs() {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const [, args] = /\bnode (.*)$/.exec(scripts['start:scim']) ?? [];
  if (args === undefined) {
    throw new Error(`expected the script start:scim to run node, found ${scripts['start:scim']}`);
  }
  return args.split(' ').map((arg) => (arg.startsWith('-') ? arg : join(ROOT, arg)));
}

function createToken() {
  return randomBytes(24).toString('base64url');
}

/** @param {number} status */
function isOk(status) {
  return status === 200;
}
