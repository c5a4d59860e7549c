import { startPalisade } from '../../lib/palisade.mjs';
import { formatRate } from '../../lib/finding.mjs';
import { residentMib } from '../../lib/memory.mjs';
import { progress } from '../../lib/progress.mjs';
import { userNamePath, userPath, withQuery } from '../../lib/scim-client.mjs';
import { createUsersInBulk } from '../../lib/seeding.mjs';
import { median } from '../../lib/statistics.mjs';
import { emailOf, keyOf } from '../../lib/users.mjs';

const SAMPLE_INTERVAL_MS = 250;
const CONNECTIONS = 8;
const WEIGHTS = { get: 8, patch: 1, create: 1 };
/** Caches and compiled code grow in the first part; what counts is whether memory still grows afterwards. */
const WARM_UP_PART = 0.4;
const COMPARED_PART = 0.2;
/** Warming up takes longer than a part of a shorter run. */
const MIN_TELLING_SECONDS = 100;

/**
 * Resident memory under mixed load: gets, filters, lists, changes and creates.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureSoak({ workspace, databases, load, plan }) {
  const service = await startPalisade(workspace, await databases.createDatabase());
  const ids = await createUsersInBulk(service.client, 'soak', plan.users);
  progress(`mixed load for ${plan.soakSeconds} s`);
  const requests = {
    getPaths: readPaths(ids),
    patchPaths: ids.map(userPath),
    createPrefix: 'soaked',
    weights: WEIGHTS,
    connections: CONNECTIONS,
  };
  const { sizes, rate } = await sampleWhile(service.pid, load.run(service, plan.soakSeconds, requests));
  await service.stop();
  const part = (from) => median(sizes.slice(sizes.length * from, sizes.length * (from + COMPARED_PART)));
  const early = part(WARM_UP_PART);
  const late = part(1 - COMPARED_PART);
  return [
    {
      key: 'rss_growth_soak_mb',
      name: `growth of resident memory in ${plan.soakSeconds} s of mixed load, after warming up`,
      ours: `${late.toFixed(0)} MB after ${formatRate(rate)}`,
      beside: `${early.toFixed(0)} MB at ${WARM_UP_PART * 100} %`,
      value: late - early,
      unit: 'MB',
      ...(plan.soakSeconds >= MIN_TELLING_SECONDS && { target: { atMost: 10 } }),
    },
  ];
}

/** Half gets by id, and of the rest ten filters to one list. @param {readonly string[]} ids */
function readPaths(ids) {
  const filters = ids.map((_, index) => userNamePath(emailOf(keyOf('soak', index))));
  const lists = ids
    .slice(0, ids.length / 10)
    .map((_, index) => withQuery('/Users', { startIndex: index + 1, count: 20 }));
  return [...ids.map(userPath), ...filters, ...lists];
}

/** @param {number} pid @param {Promise<number>} work */
async function sampleWhile(pid, work) {
  const sizes = [residentMib(pid)];
  const sampling = setInterval(() => sizes.push(residentMib(pid)), SAMPLE_INTERVAL_MS);
  const rate = await work.finally(() => clearInterval(sampling));
  return { sizes, rate };
}
