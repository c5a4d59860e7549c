/** Imports users from a process of its own, so that this takes no time from who measures meanwhile. */
import process from 'node:process';
import { ScimClient } from '../lib/scim-client.mjs';
import { createUsers } from '../lib/seeding.mjs';

/**
 * @typedef {object} Import
 * @property {string} base
 * @property {string} token
 * @property {string} prefix of the users' keys
 * @property {number} users
 * @property {number} clients
 */

process.on('message', (/** @type {Import} */ plan) => {
  // The parent ends this process when it ends without an answer.
  void run(plan).then(
    () => process.send?.({}),
    (error) => process.send?.({ error: String(error) }),
  );
});

/** @param {Import} plan */
async function run({ base, token, prefix, users, clients }) {
  const client = new ScimClient(base, token);
  await createUsers(client, prefix, users, clients);
  client.close();
}
