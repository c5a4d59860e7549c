import { startPalisade } from '../../lib/palisade.mjs';
import { compareTimes, toTimes } from '../../lib/finding.mjs';
import { populatePalisade } from '../population.mjs';
import { progress } from '../../lib/progress.mjs';
import { userNamePath } from '../../lib/scim-client.mjs';

/** So many that a large table does not look small because the same few rows are asked for. */
const MAX_SAMPLES = 20_000;

/**
 * `userName eq` among few and among many users, each in a database of their own.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureFilterScale(context) {
  const { load, plan } = context;
  const few = await openPopulated(context, plan.users);
  const many = await openPopulated(context, plan.manyUsers);
  progress(`measuring filters among ${plan.manyUsers} and ${plan.users} users`);
  const rates = await load.compare(plan, { many, few });
  await Promise.all([few, many].map(({ target }) => target.stop()));
  const isFull = plan.manyUsers === 1_000_000;
  return [
    compareTimes({
      key: 'filter_1m_vs_1k',
      name: `filter userName eq at ${plan.manyUsers} vs ${plan.users} users${isFull ? '' : ' (1,000,000 only without --quick)'}`,
      large: toTimes(rates.many),
      small: toTimes(rates.few),
      smallName: `${plan.users} users`,
      target: { atMost: 1.25 },
    }),
  ];
}

/** @param {import('../run.mjs').Context} context @param {number} users */
async function openPopulated({ workspace, databases }, users) {
  progress(`filling a database with ${users} users`);
  const databaseUrl = await databases.createDatabase();
  const target = await startPalisade(workspace, databaseUrl);
  const { userNameOf } = await populatePalisade({ target, ids: [], databaseUrl }, users);
  const length = Math.min(users - 1, MAX_SAMPLES);
  const samples = Array.from({ length }, () => Math.floor(Math.random() * (users - 1)));
  return { target, requests: { getPaths: samples.map((number) => userNamePath(userNameOf(number))) } };
}
