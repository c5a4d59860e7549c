import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { startPalisade } from '../../lib/palisade.mjs';
import { formatMs, formatRate } from '../../lib/finding.mjs';
import { progress } from '../../lib/progress.mjs';
import { ScimClient, userPath } from '../../lib/scim-client.mjs';
import { createUsersInBulk } from '../../lib/seeding.mjs';
import { median, percentile } from '../../lib/statistics.mjs';

const LEVELS = /** @type {const} */ (['none', 'namespace']);
const IMPORTING_CLIENTS = 100;
const QUIET_USERS = 200;
/** The import is done in parts, in turn at each level, so that whatever else the machine does hits both alike. */
const PARTS = 5;
const WARM_UP_USERS = 1000;

/**
 * A service with two providers, one of which imports.
 *
 * @typedef {object} Neighbours
 * @property {ScimClient} noisy
 * @property {ScimClient} quiet
 * @property {string[]} ids of the users of the quiet one
 * @property {number[]} latencies of the quiet one beside the import, in ms
 * @property {number[]} rates of the import, in users per second
 */

/**
 * What the SCIM service takes to answer a provider while another one imports with many clients.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureNoisyProvider({ plan, workspace, databases }) {
  progress(`measuring a provider beside an import of ${plan.importedUsers} users`);
  const importer = fork(new URL('../import-worker.mjs', import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  workspace.defer(() => importer.kill());
  const neighbours = {
    none: await startNeighbours(workspace, await databases.createDatabase(), 'none'),
    namespace: await startNeighbours(workspace, await databases.createDatabase(), 'namespace'),
  };
  for (const level of LEVELS) {
    await measureBeside(importer, neighbours[level], 'warm-up', WARM_UP_USERS);
    neighbours[level].latencies.length = 0;
    neighbours[level].rates.length = 0;
  }
  for (let part = 0; part < PARTS; part++) {
    for (const level of LEVELS) {
      await measureBeside(importer, neighbours[level], `part-${part}`, plan.importedUsers / PARTS);
    }
  }
  importer.kill();
  return describe(neighbours);
}

/**
 * @param {import('../../lib/workspace.mjs').Workspace} workspace
 * @param {string} storeUrl
 * @param {(typeof LEVELS)[number]} level
 * @returns {Promise<Neighbours>}
 */
async function startNeighbours(workspace, storeUrl, level) {
  const adminToken = randomBytes(24).toString('base64url');
  const settings = { SVC_STORE_ISOLATION_LEVEL: level, SVC_ADMIN_TOKEN: adminToken };
  const { client: noisy, origin } = await startPalisade(workspace, storeUrl, settings);
  const admin = new ScimClient(`${origin}/api/v1`, adminToken);
  await admin.send('POST', '/providers', { id: 'quiet' }, { 'content-type': 'application/json' });
  const { secret } = await admin.send('POST', '/providers/quiet/tokens', {}, { 'content-type': 'application/json' });
  admin.close();
  const quiet = new ScimClient(noisy.base, secret);
  workspace.defer(() => quiet.close());
  return { noisy, quiet, ids: await createUsersInBulk(quiet, 'quiet', QUIET_USERS), latencies: [], rates: [] };
}

/**
 * The quiet provider reads one user after the other until the import is done.
 *
 * @param {import('node:child_process').ChildProcess} importer
 * @param {Neighbours} neighbours
 * @param {string} prefix
 * @param {number} users
 */
async function measureBeside(importer, { noisy, quiet, ids, latencies, rates }, prefix, users) {
  const over = new AbortController();
  const begunAt = performance.now();
  const answer = once(importer, 'message').finally(() => over.abort());
  importer.send({ base: noisy.base, token: noisy.token, prefix, users, clients: IMPORTING_CLIENTS });
  for (let index = 0; !over.signal.aborted; index++) {
    const startedAt = performance.now();
    await quiet.send('GET', userPath(ids[index % ids.length]));
    latencies.push(performance.now() - startedAt);
  }
  const [{ error }] = await answer;
  if (error !== undefined) {
    throw new Error(`the import failed: ${error}`);
  }
  rates.push((users * 1000) / (performance.now() - begunAt));
}

/** @param {Record<(typeof LEVELS)[number], Neighbours>} neighbours */
function describe({ none, namespace }) {
  const [shared, own] = [none, namespace].map(({ latencies }) => percentile(latencies, 99));
  const name = `p99 of a provider beside ${IMPORTING_CLIENTS} importing clients of another`;
  return [
    {
      key: 'scim_noisy_p99_none_ms',
      name: `${name}, all sharing connections`,
      ours: formatMs(shared),
      beside: describeMedians(none),
      value: shared,
      unit: 'ms',
    },
    {
      key: 'scim_noisy_p99_namespace_ms',
      name: `${name}, each with its own`,
      ours: formatMs(own),
      beside: describeMedians(namespace),
      value: own,
      unit: 'ms',
    },
    {
      key: 'scim_noisy_p99_namespace_vs_none',
      name: '- the latter over the former',
      ours: formatMs(own),
      beside: formatMs(shared),
      value: own / shared,
      target: { atMost: 0.5 },
    },
  ];
}

/** @param {Neighbours} neighbours */
function describeMedians({ latencies, rates }) {
  return `median ${formatMs(median(latencies))}, import ${formatRate(median(rates))}`;
}
