import { compareRates } from '../../lib/finding.mjs';
import { progress } from '../../lib/progress.mjs';
import { userNamePath, userPath } from '../../lib/scim-client.mjs';

/**
 * Gets by id, filters by userName and creates, of everybody in turn.
 *
 * @param {import('../run.mjs').Context} context
 * @param {import('../field.mjs').Field} field
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureRequests({ load, plan }, field) {
  const { bareExpress, userNames, palisadeInMemory, palisade, scimmy, betterAuth } = field;
  const entrants = { palisadeInMemory, palisade, scimmy, betterAuth };
  const filtering = { getPaths: userNames.map(userNamePath) };
  const creating = { weights: { create: 1 }, createPrefix: 'created' };

  progress('measuring gets by id');
  const gets = await load.compare(plan, requesting({ ...entrants, bareExpress }, gettingById));
  progress('measuring filters by userName');
  const filters = await load.compare(
    plan,
    requesting(entrants, () => filtering),
  );
  progress('measuring creates');
  const creates = await load.compare(
    plan,
    requesting(entrants, () => creating),
  );

  return [
    compareRates({
      key: 'get_vs_bare_express',
      name: 'get by id, in memory, vs bare Express',
      ours: gets.palisadeInMemory,
      others: { 'bare Express': gets.bareExpress },
      target: { atLeast: 0.6 },
    }),
    ...comparePeers('get', 'get by id', gets),
    ...comparePeers('filter', 'filter userName eq', filters),
    ...comparePeers('create', 'create', creates),
  ];
}

/**
 * @param {Readonly<Record<string, import('../field.mjs').Entrant | undefined>>} entrants
 * @param {(entrant: import('../field.mjs').Entrant) => import('../load.mjs').Requests} choose
 */
function requesting(entrants, choose) {
  const present = Object.entries(entrants).filter(([, entrant]) => entrant !== undefined);
  return Object.fromEntries(
    present.map(([key, entrant]) => [key, { target: entrant.target, requests: choose(entrant) }]),
  );
}

/** @param {import('../field.mjs').Entrant} entrant */
function gettingById({ ids }) {
  return { getPaths: ids.map(userPath) };
}

/**
 * Like with like: on PostgreSQL with the peer on PostgreSQL, in memory with the peer in memory. That PostgreSQL keeps up
 * with a peer which stores nothing is shown for information.
 *
 * @param {string} key
 * @param {string} name
 * @param {Readonly<Record<string, readonly number[] | undefined>>} rates
 * @returns {import('../../lib/finding.mjs').Finding[]}
 */
function comparePeers(key, name, { palisadeInMemory, palisade, scimmy, betterAuth }) {
  return [
    compareRates({
      key: `pg_${key}_vs_best_peer`,
      name: `${name}, PostgreSQL, vs best peer on PostgreSQL`,
      ours: palisade,
      others: { 'better-auth': betterAuth },
      target: { atLeast: 2 },
    }),
    compareRates({
      key: `memory_${key}_vs_scimmy`,
      name: `${name}, in memory, vs scimmy in memory`,
      ours: palisadeInMemory,
      others: { scimmy },
    }),
    compareRates({
      key: `pg_${key}_vs_scimmy_memory`,
      name: `${name}, PostgreSQL, vs scimmy in memory`,
      ours: palisade,
      others: { scimmy },
    }),
  ];
}
