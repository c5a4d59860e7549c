import { compareRates } from '../../lib/finding.mjs';
import { createUsers } from '../../lib/seeding.mjs';
import { progress } from '../../lib/progress.mjs';
import { withQuery } from '../../lib/scim-client.mjs';
import { median } from '../../lib/statistics.mjs';

const PAGE_SIZE = 100;
const CONNECTIONS = 8;
const SCIMMY_REQUESTS = 3;

/**
 * The page that begins behind nine tenths of all users, by index and by cursor.
 *
 * @param {import('../run.mjs').Context} context
 * @param {import('../field.mjs').Field} field that holds `plan.deepUsers` users on PostgreSQL
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureDeepPages({ load, plan }, { palisade, betterAuth, scimmy }) {
  const indexPath = pagePath(plan.deepUsers);
  const cursorPath = await findCursor(palisade.target.client, plan.deepUsers);
  await requireSamePage(palisade.target.client, indexPath, cursorPath);
  const byIndex = { getPaths: [indexPath], connections: CONNECTIONS };
  const byCursor = { getPaths: [cursorPath], connections: CONNECTIONS };

  progress('measuring deep pages');
  const rates = await load.compare(plan, {
    index: { target: palisade.target, requests: byIndex },
    cursor: { target: palisade.target, requests: byCursor },
    ...(betterAuth && { betterAuth: { target: betterAuth.target, requests: byIndex } }),
  });
  const others = { 'better-auth': rates.betterAuth, ...(scimmy && (await measureScimmy(plan, scimmy))) };
  const common = { others, target: { atLeast: 10 } };
  return [
    compareRates({
      ...common,
      key: 'pg_deep_page_vs_best_peer',
      name: `page at ${plan.deepUsers * 0.9 + 1} of ${plan.deepUsers}, the slower of both`,
      ours: median(rates.index) < median(rates.cursor) ? rates.index : rates.cursor,
    }),
    compareRates({ ...common, key: 'pg_deep_page_index_vs_best_peer', name: '- by startIndex', ours: rates.index }),
    compareRates({ ...common, key: 'pg_deep_page_cursor_vs_best_peer', name: '- by cursor', ours: rates.cursor }),
  ];
}

/**
 * scimmy formats all users for every page, so it is counted at fewer of them, one request after the other.
 *
 * @param {import('../plan.mjs').Plan} plan
 * @param {import('../field.mjs').Entrant} scimmy
 * @returns {Promise<Record<string, number[]>>} the same rate for every round
 */
async function measureScimmy({ scimmyUsers, rounds }, { target: { client } }) {
  if (scimmyUsers === 0) {
    return {};
  }
  const { totalResults } = await client.send('GET', withQuery('/Users', { count: 1 }));
  await createUsers(client, 'deep', Math.max(scimmyUsers - totalResults, 0));
  const startedAt = performance.now();
  for (let request = 0; request < SCIMMY_REQUESTS; request++) {
    await client.send('GET', pagePath(scimmyUsers));
  }
  const rate = (SCIMMY_REQUESTS * 1000) / (performance.now() - startedAt);
  const name = `scimmy (of ${Math.max(scimmyUsers, totalResults)} users only)`;
  return { [name]: Array.from({ length: rounds }, () => rate) };
}

/** @param {number} users */
function pagePath(users) {
  return withQuery('/Users', { startIndex: users * 0.9 + 1, count: PAGE_SIZE });
}

/** Follows the pages to the same place. @param {import('../../lib/scim-client.mjs').ScimClient} client @param {number} users */
async function findCursor(client, users) {
  let cursor = '';
  for (let seen = 0; seen < users * 0.9; seen += PAGE_SIZE) {
    const page = await client.send('GET', withQuery('/Users', { cursor, count: PAGE_SIZE }));
    cursor = page.nextCursor;
  }
  return withQuery('/Users', { cursor, count: PAGE_SIZE });
}

/**
 * Both paths lead to the same full page.
 *
 * @param {import('../../lib/scim-client.mjs').ScimClient} client
 * @param {string} indexPath
 * @param {string} cursorPath
 */
async function requireSamePage(client, indexPath, cursorPath) {
  const [byIndex, byCursor] = await Promise.all([client.send('GET', indexPath), client.send('GET', cursorPath)]);
  const ids = byIndex.Resources.map(({ id }) => id);
  if (ids.length !== PAGE_SIZE || byCursor.Resources.some(({ id }, index) => id !== ids[index])) {
    throw new Error(`expected the same ${PAGE_SIZE} users at ${indexPath} and ${cursorPath}`);
  }
}
