import { startPalisade } from '../../lib/palisade.mjs';
import { progress } from '../../lib/progress.mjs';
import { withQuery } from '../../lib/scim-client.mjs';
import { createUsersInBulk } from '../../lib/seeding.mjs';
import { StatementCounter } from '../statement-counter.mjs';

const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

const USERS = 100;
const FEW_USERS = 10;
const GROUPS = 5;

/**
 * How many statements a list of users takes whose `groups` have to be found.
 *
 * @param {import('../run.mjs').Context} context
 * @param {string} databaseUrl of an empty database
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureListGroups({ workspace }, databaseUrl) {
  progress('counting the statements of a list of users with groups');
  const counter = new StatementCounter(databaseUrl);
  workspace.defer(() => counter.close());
  const service = await startPalisade(workspace, await counter.listen());
  const ids = await createUsersInBulk(service.client, 'listed', USERS);
  for (let number = 0; number < GROUPS; number++) {
    const members = ids.map((value) => ({ value }));
    await service.client.send('POST', '/Groups', { schemas: [GROUP], displayName: `group ${number}`, members });
  }
  const few = await countStatements(counter, service.client, FEW_USERS);
  const all = await countStatements(counter, service.client, USERS);
  await service.stop();
  counter.close();
  return [
    {
      key: 'list_groups_statements',
      name: `SQL statements for a list of ${USERS} users in ${GROUPS} groups each`,
      ours: `${all}`,
      beside: `list of ${FEW_USERS}: ${few}`,
      value: all,
      unit: 'statements',
      target: { atMost: few },
    },
  ];
}

/** @param {StatementCounter} counter @param {import('../../lib/scim-client.mjs').ScimClient} client @param {number} count */
async function countStatements(counter, client, count) {
  const before = counter.count;
  const { Resources: users } = await client.send('GET', withQuery('/Users', { count }));
  if (users.length !== count || users.some(({ groups = [] }) => groups.length !== GROUPS)) {
    throw new Error(`expected ${count} users in ${GROUPS} groups each`);
  }
  return counter.count - before;
}
