import { cloneRows, NUMBER_MARK, withoutIndexes } from './clone-rows.mjs';
import { withClient } from '../lib/database.mjs';
import { withQuery } from '../lib/scim-client.mjs';
import { createUser } from '../lib/users.mjs';

/** Rows of these hold random keys, which cannot be cloned as they are. */
const BETTER_AUTH_TABLES = [
  { table: 'user', numbered: ['id'] },
  {
    table: 'scimUser',
    numbered: ['id', 'userId', 'connectionUserKey', 'userNameKey', 'externalIdKey', 'orderKey'],
  },
  { table: 'scimSubject', numbered: ['id', 'userId', 'profileSourceId'] },
];

/** What the service keeps with each insert (docs/adr/0012-counted-buckets.md). */
const RECOUNT = [
  'delete from resource_counts',
  `insert into resource_counts
   select provider_id, resource_type, sequence >> 12, sequence % 16, count(*) from resources group by 1, 2, 3, 4`,
];

/**
 * The many users of one competitor.
 *
 * @typedef {object} Population
 * @property {(number: number) => string} idOf
 * @property {(number: number) => string} userNameOf
 */

/**
 * Fills up Palisade's users to a total, in its database.
 *
 * @param {import('./field.mjs').Entrant} entrant
 * @param {number} total
 * @returns {Promise<Population>}
 */
export async function populatePalisade({ target, databaseUrl = '' }, total) {
  const { template, missing } = await createTemplate(target.client, total);
  await withClient(databaseUrl, async (client) => {
    const where = `id = ${client.escapeLiteral(template.id)}`;
    await withoutIndexes(client, 'resources', () => cloneRows(client, { table: 'resources', where, count: missing }));
    for (const statement of RECOUNT) {
      await client.query(statement);
    }
    await settle(client);
  });
  await requireTotal(target.client, total);
  return {
    idOf: (number) => numbered(template.id, number),
    userNameOf: (number) => numbered(template.userName, number),
  };
}

/** Fills up better-auth's users to a total, in its database. @param {import('./field.mjs').Entrant} entrant @param {number} total */
export async function populateBetterAuth({ target, databaseUrl = '' }, total) {
  const { template, missing } = await createTemplate(target.client, total);
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query('select "userId" from "scimUser" where id = $1', [template.id]);
    const userId = client.escapeLiteral(rows[0].userId);
    for (const { table, numbered } of BETTER_AUTH_TABLES) {
      const where = `${table === 'user' ? 'id' : '"userId"'} = ${userId}`;
      await withoutIndexes(client, client.escapeIdentifier(table), () =>
        cloneRows(client, { table, where, count: missing, numbered }),
      );
    }
    await settle(client);
  });
  await requireTotal(target.client, total);
}

/** @param {import('../lib/scim-client.mjs').ScimClient} client @param {number} total */
async function createTemplate(client, total) {
  const template = await client.send('POST', '/Users', createUser(`many-${NUMBER_MARK}`));
  const count = await countUsers(client);
  if (count > total) {
    throw new Error(`expected at most ${total} users, found ${count}`);
  }
  return { template, missing: total - count };
}

/** The service sees what was written behind its back. @param {import('../lib/scim-client.mjs').ScimClient} client @param {number} total */
async function requireTotal(client, total) {
  const count = await countUsers(client);
  if (count !== total) {
    throw new Error(`expected ${total} users at ${client.base}, found ${count}`);
  }
}

/** @param {import('../lib/scim-client.mjs').ScimClient} client @returns {Promise<number>} */
async function countUsers(client) {
  const { totalResults } = await client.send('GET', withQuery('/Users', { count: 0 }));
  return totalResults;
}

/** Statistics and visibility as after a while of normal running, and nothing left to write in the background. */
async function settle(/** @type {import('pg').Client} */ client) {
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

/** @param {string} text @param {number} number */
function numbered(text, number) {
  return text.replaceAll(NUMBER_MARK, String(number).padStart(NUMBER_MARK.length, '0'));
}
