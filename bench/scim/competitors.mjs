import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePorts } from '../../scripts/lib/test-services/free-ports.mjs';
import { createToken, startScimServer } from '../lib/palisade.mjs';

const SCIMMY = fileURLToPath(new URL('peers/scimmy.server.mjs', import.meta.url));
const BETTER_AUTH = fileURLToPath(new URL('peers/better-auth.server.mjs', import.meta.url));
const BARE_EXPRESS = fileURLToPath(new URL('bare-express.server.mjs', import.meta.url));

/** @typedef {import('../lib/palisade.mjs').ScimServer} Competitor */

/** @param {import('../lib/workspace.mjs').Workspace} workspace @returns {Promise<Competitor>} */
export async function startScimmy(workspace) {
  const [port] = await findFreePorts(1);
  const token = createToken();
  const program = { name: 'scimmy', args: [SCIMMY], port, environment: { PORT: String(port), TOKEN: token } };
  return startScimServer(workspace, { ...program, readyPath: '/' }, '/scim/v2', token);
}

/** @param {import('../lib/workspace.mjs').Workspace} workspace @param {string} databaseUrl @returns {Promise<Competitor>} */
export async function startBetterAuth(workspace, databaseUrl) {
  const [port] = await findFreePorts(1);
  const token = createToken();
  const environment = { PORT: String(port), TOKEN: token, DATABASE_URL: databaseUrl };
  const program = { name: 'better-auth', args: [BETTER_AUTH], port, environment };
  return startScimServer(workspace, { ...program, readyPath: '/' }, '/api/auth/scim/v2', token);
}

/**
 * @param {import('../lib/workspace.mjs').Workspace} workspace
 * @param {readonly object[]} users that it answers with
 * @returns {Promise<Competitor>}
 */
export async function startBareExpress(workspace, users) {
  const [port] = await findFreePorts(1);
  const file = join(workspace.directory, 'users.json');
  writeFileSync(file, JSON.stringify(users));
  const program = { name: 'bare Express', args: [BARE_EXPRESS], port };
  const environment = { PORT: String(port), USERS_FILE: file };
  return startScimServer(workspace, { ...program, environment, readyPath: '/' }, '/scim/v2', '');
}
