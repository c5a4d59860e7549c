import { createUser, keyOf } from './users.mjs';

const PARALLEL_REQUESTS = 16;
const BULK_OPERATIONS = 1000;
const BULK_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

/**
 * Creates users one request each, several at a time.
 *
 * @param {import('./scim-client.mjs').ScimClient} client
 * @param {string} prefix of their keys
 * @param {number} count
 * @param {number} [clients] that each wait for an answer before they send the next request
 * @returns {Promise<string[]>} their ids, in the order of their keys
 */
export async function createUsers(client, prefix, count, clients = PARALLEL_REQUESTS) {
  const ids = Array.from({ length: count }, () => '');
  let next = 0;
  const work = async () => {
    while (next < count) {
      const index = next++;
      const { id } = await client.send('POST', '/Users', createUser(keyOf(prefix, index)));
      ids[index] = id;
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  return ids;
}

/**
 * Creates users with Bulk requests.
 *
 * @param {import('./scim-client.mjs').ScimClient} client
 * @param {string} prefix of their keys
 * @param {number} count
 * @returns {Promise<string[]>} their ids, in the order of their keys
 */
export async function createUsersInBulk(client, prefix, count) {
  const ids = [];
  for (let from = 0; from < count; from += BULK_OPERATIONS) {
    const length = Math.min(BULK_OPERATIONS, count - from);
    const operations = Array.from({ length }, (_, index) => ({
      method: 'POST',
      path: '/Users',
      bulkId: String(index),
      data: createUser(keyOf(prefix, from + index)),
    }));
    const { Operations: answers } = await client.send('POST', '/Bulk', {
      schemas: [BULK_REQUEST],
      Operations: operations,
    });
    ids.push(...answers.map(idOfCreated));
  }
  return ids;
}

/** @param {{ status: string, location: string }} answer */
function idOfCreated(answer) {
  if (answer.status !== '201') {
    throw new Error(`Bulk: expected 201 for every operation, found ${JSON.stringify(answer).slice(0, 500)}`);
  }
  return decodeURIComponent(answer.location.slice(answer.location.lastIndexOf('/') + 1));
}
