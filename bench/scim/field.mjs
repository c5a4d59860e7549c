import { startPalisade } from '../lib/palisade.mjs';
import { startBareExpress, startBetterAuth, startScimmy } from './competitors.mjs';
import { progress } from '../lib/progress.mjs';
import { withQuery } from '../lib/scim-client.mjs';
import { createUsers, createUsersInBulk } from '../lib/seeding.mjs';
import { emailOf, keyOf } from '../lib/users.mjs';

const PREFIX = 'base';

/**
 * A competitor that holds the base users.
 *
 * @typedef {object} Entrant
 * @property {import('./competitors.mjs').Competitor} target
 * @property {string[]} ids of its users
 * @property {string} [databaseUrl]
 */

/**
 * Everybody who is measured side by side, each with the same users.
 *
 * @typedef {object} Field
 * @property {Entrant} palisadeInMemory
 * @property {Entrant} palisade on PostgreSQL
 * @property {Entrant} bareExpress
 * @property {Entrant | undefined} scimmy
 * @property {Entrant | undefined} betterAuth on PostgreSQL
 * @property {string[]} userNames that all of them hold
 */

/**
 * @param {import('./run.mjs').Context} context
 * @returns {Promise<Field>}
 */
export async function openField({ workspace, databases, plan: { users: count } }) {
  progress('starting Palisade in memory and on PostgreSQL');
  const palisadeInMemory = await enter(startPalisade(workspace, 'memory:'), createUsersInBulk, count);
  const palisadeUrl = await databases.createDatabase();
  const palisade = await enter(startPalisade(workspace, palisadeUrl), createUsersInBulk, count);

  progress('starting bare Express, scimmy and better-auth');
  const { Resources } = await palisadeInMemory.target.client.send('GET', withQuery('/Users', { count }));
  const bareExpress = { target: await startBareExpress(workspace, Resources), ids: palisadeInMemory.ids };
  const scimmy = await unlessFailed(enter(startScimmy(workspace), createUsers, count));
  const betterAuthUrl = await databases.createDatabase();
  const betterAuth = await unlessFailed(enter(startBetterAuth(workspace, betterAuthUrl), createUsers, count));

  return {
    palisadeInMemory,
    palisade: { ...palisade, databaseUrl: palisadeUrl },
    bareExpress,
    scimmy,
    betterAuth: betterAuth && { ...betterAuth, databaseUrl: betterAuthUrl },
    userNames: Array.from({ length: count }, (_, index) => emailOf(keyOf(PREFIX, index))),
  };
}

/**
 * A peer that cannot be run is reported, and everything else is measured without it.
 *
 * @template T
 * @param {Promise<T>} work for the peer
 * @returns {Promise<T | undefined>}
 */
export function unlessFailed(work) {
  return work.catch((error) => {
    progress(`continuing without a peer: ${error.message}`);
    return undefined;
  });
}

/**
 * @param {Promise<import('./competitors.mjs').Competitor>} starting
 * @param {typeof createUsers} seed
 * @param {number} count
 * @returns {Promise<Entrant>}
 */
async function enter(starting, seed, count) {
  const target = await starting;
  return { target, ids: await seed(target.client, PREFIX, count) };
}
