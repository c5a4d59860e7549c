import { withClient } from '../lib/database.mjs';
import { startPalisade } from '../lib/palisade.mjs';
import { progress } from '../lib/progress.mjs';
import { ScimClient, userPath } from '../lib/scim-client.mjs';
import { createUser, keyOf } from '../lib/users.mjs';
import { NUMBER_MARK, cloneRows } from '../scim/clone-rows.mjs';
import { HEAP_MIB, measureBeside } from './beside.mjs';

const EMAILS = 230;
const EMAIL_PADDING = 900;
const GROUP_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const ADMIN_TOKEN = 'admin-token-of-the-attack';

/** One provider of the SCIM service. @type {import('./run.mjs').Case} */
export async function attackScimService(plan, workspace, database) {
  const server = await startPalisade(workspace, database, {
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    SVC_ADMIN_TOKEN: ADMIN_TOKEN,
  });
  progress(`one provider: ${plan.users} users of 230 kB, ${plan.groups} groups of ${plan.members} members`);
  const groups = await populate(plan, server.client, database);
  const quiet = await createQuietProvider(server.origin);
  const { id } = await quiet.send('POST', '/Users', createUser(keyOf('quiet', 0)));
  const findings = await measureBeside(plan, workspace, {
    prefix: 'attack',
    neighbour: 'another provider',
    origin: server.origin,
    pid: server.pid,
    probe: () => quiet.send('GET', userPath(id)),
    greed: greedOf(server.client, groups),
  });
  quiet.close();
  await server.stop();
  return findings;
}

/** @param {ScimClient} client @param {readonly string[]} groups */
function greedOf({ base, token }, groups) {
  const groupPaths = groups.map((id) => `/Groups/${encodeURIComponent(id)}`);
  const paths = ['/Users?count=1000', ...groupPaths, '/Groups?count=1000', '/Users?count=1000&sortBy=userName'];
  return {
    base,
    headers: { authorization: `Bearer ${token}` },
    questions: paths.map((path) => ({ path })),
    idlePath: groupPaths[0],
  };
}

/** @param {import('./plan.mjs').Plan} plan @param {ScimClient} client @param {string} database @returns {Promise<string[]>} ids of the groups */
async function populate({ users, groups, members }, client, database) {
  const emails = Array.from({ length: EMAILS }, (_, index) => ({
    value: `${index}${randomText(EMAIL_PADDING)}@example.com`,
  }));
  const { id: user } = await client.send('POST', '/Users', { ...createUser(`large-${NUMBER_MARK}`), emails });
  const ids = [];
  for (let index = 0; index < groups; index++) {
    const body = { schemas: [GROUP_URN], externalId: `large-${index}`, displayName: `Large ${index}` };
    ids.push((await client.send('POST', '/Groups', { ...body, members: [{ value: user }] })).id);
  }
  await withClient(database, async (connection) => {
    await cloneRows(connection, { table: 'resources', where: `id = '${user}'`, count: users });
    await connection.query(
      `insert into memberships (provider_id, group_id, member_id)
       select 'default', g, 'user:scim:default:member-' || i from unnest($1::text[]) g, generate_series(2, $2::integer) i`,
      [ids, members],
    );
    await connection.query(`update resources set member_count = $2 where id = any($1)`, [ids, members]);
    await connection.query('analyze');
  });
  return ids;
}

/** @param {number} length */
function randomText(length) {
  return Array.from({ length }, () => Math.floor(Math.random() * 36).toString(36)).join('');
}

/** @param {string} origin */
async function createQuietProvider(origin) {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
  const post = async (path, body) => {
    const response = await fetch(`${origin}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json();
  };
  await post('/providers', { id: 'quiet' });
  const { secret } = await post('/providers/quiet/tokens', {});
  return new ScimClient(`${origin}/scim/v2`, secret);
}
