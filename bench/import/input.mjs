import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createUser, keyOf } from '../lib/users.mjs';

const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const MEMBERS_OF_MOST = 100;

/**
 * A file of users as an identity provider has them.
 *
 * @param {import('../lib/workspace.mjs').Workspace} workspace
 * @param {string} prefix of their keys
 * @param {number} count
 * @returns {Promise<string>} its path
 */
export function writeUsers(workspace, prefix, count) {
  return writeLines(workspace, `${prefix}-users.ndjson`, count, (index) => createUser(keyOf(prefix, index)));
}

/**
 * A file of groups: one has half of the users, one a tenth, the others 100 each, in turn.
 *
 * @param {import('../lib/workspace.mjs').Workspace} workspace
 * @param {string} prefix of the users' keys
 * @param {number} users
 * @param {number} count
 * @returns {Promise<{ path: string, memberships: number }>}
 */
export async function writeGroups(workspace, prefix, users, count) {
  const sizeOf = (/** @type {number} */ index) => [users / 2, users / 10][index] ?? MEMBERS_OF_MOST;
  let memberships = 0;
  const path = await writeLines(workspace, `${prefix}-groups.ndjson`, count, (index) => {
    const length = sizeOf(index);
    memberships += length;
    const first = index * MEMBERS_OF_MOST;
    const members = Array.from({ length }, (_, offset) => ({ value: keyOf(prefix, (first + offset) % users) }));
    return { schemas: [GROUP], externalId: keyOf(`${prefix}-group`, index), displayName: `Group ${index}`, members };
  });
  return { path, memberships };
}

/**
 * @param {import('../lib/workspace.mjs').Workspace} workspace
 * @param {string} name
 * @param {number} count
 * @param {(index: number) => object} create
 */
async function writeLines({ directory }, name, count, create) {
  const path = join(directory, name);
  const lines = function* () {
    for (let index = 0; index < count; index++) {
      yield `${JSON.stringify(create(index))}\n`;
    }
  };
  await pipeline(Readable.from(lines()), createWriteStream(path));
  return path;
}
