import { compareTimes, formatMs, toTimes } from '../../lib/finding.mjs';
import { progress } from '../../lib/progress.mjs';
import { withQuery } from '../../lib/scim-client.mjs';
import { percentile } from '../../lib/statistics.mjs';

const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const LARGE = 50_000;
const SMALL = 500;
const WARM_UP_CHANGES = 20;
/** Keeps a request below the body limit. */
const MEMBERS_PER_REQUEST = 5000;

/**
 * One member added to a large and to a small group in turn, and both groups read without their members.
 *
 * @param {import('../run.mjs').Context} context
 * @param {import('../field.mjs').Entrant} palisade
 * @param {import('../population.mjs').Population} population of more than 50,000 users
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureLargeGroups({ load, plan }, { target }, { idOf }) {
  progress(`creating groups of ${LARGE} and ${SMALL} members`);
  const large = await createGroup(target.client, 'large', LARGE, idOf);
  const small = await createGroup(target.client, 'small', SMALL, idOf);

  progress(`adding ${plan.memberChanges} members to each, one at a time`);
  await timeAdditions(target.client, [large, small], WARM_UP_CHANGES, (number) => idOf(LARGE + number));
  const times = await timeAdditions(target.client, [large, small], plan.memberChanges, (number) =>
    idOf(LARGE + number),
  );

  progress('reading groups without members');
  const rates = await load.compare(plan, { large: readingGroup(target, large), small: readingGroup(target, small) });
  return [...reportAdditions(times), reportReads(rates)];
}

/** @param {import('../load.mjs').Target} target @param {string} id */
function readingGroup(target, id) {
  return { target, requests: { getPaths: [groupPath(id, { excludedAttributes: 'members' })] } };
}

/** @param {readonly (readonly number[])[]} times @returns {import('../../lib/finding.mjs').Finding[]} */
function reportAdditions([large, small]) {
  return [
    {
      key: 'member_add_p95_ms_50k',
      name: `one member added to a group of ${LARGE}, p95`,
      ours: formatMs(percentile(large, 95)),
      beside: `group of ${SMALL} ${formatMs(percentile(small, 95))}`,
      value: percentile(large, 95),
      unit: 'ms',
      target: { atMost: 10 },
    },
    compareTimes({
      key: 'member_add_50k_vs_500',
      name: `one member added at ${LARGE} vs ${SMALL} members, medians`,
      large,
      small,
      smallName: `group of ${SMALL}`,
      target: { atMost: 1.5 },
    }),
  ];
}

/** @param {{ large: number[], small: number[] }} rates */
function reportReads(rates) {
  return compareTimes({
    key: 'group_without_members_50k_vs_500',
    name: `group without members at ${LARGE} vs ${SMALL}`,
    large: toTimes(rates.large),
    small: toTimes(rates.small),
    smallName: `group of ${SMALL}`,
    target: { atMost: 1.25 },
  });
}

/**
 * @param {import('../../lib/scim-client.mjs').ScimClient} client
 * @param {string} name
 * @param {number} size
 * @param {(number: number) => string} idOf
 * @returns {Promise<string>} its id
 */
async function createGroup(client, name, size, idOf) {
  const { id } = await client.send('POST', '/Groups', { schemas: [GROUP], externalId: name, displayName: name });
  for (let from = 0; from < size; from += MEMBERS_PER_REQUEST) {
    const length = Math.min(MEMBERS_PER_REQUEST, size - from);
    await changeMembers(
      client,
      id,
      'add',
      Array.from({ length }, (_, index) => idOf(from + index)),
    );
  }
  return id;
}

/**
 * Each member is taken out again, untimed, so that the groups keep their sizes.
 *
 * @param {import('../../lib/scim-client.mjs').ScimClient} client
 * @param {readonly string[]} groups
 * @param {number} count
 * @param {(number: number) => string} memberOf
 * @returns {Promise<number[][]>} per group, in ms
 */
async function timeAdditions(client, groups, count, memberOf) {
  const times = groups.map(() => /** @type {number[]} */ ([]));
  for (let number = 0; number < count; number++) {
    for (const [index, group] of groups.entries()) {
      const startedAt = performance.now();
      await changeMembers(client, group, 'add', [memberOf(number)]);
      times[index].push(performance.now() - startedAt);
      await changeMembers(client, group, 'remove', [memberOf(number)]);
    }
  }
  return times;
}

/**
 * @param {import('../../lib/scim-client.mjs').ScimClient} client
 * @param {string} group
 * @param {'add' | 'remove'} op
 * @param {readonly string[]} members
 */
async function changeMembers(client, group, op, members) {
  const value = members.map((member) => ({ value: member }));
  const body = { schemas: [PATCH_OP], Operations: [{ op, path: 'members', value }] };
  await client.send('PATCH', groupPath(group), body, { prefer: 'return=minimal' });
}

/** @param {string} id @param {Record<string, string>} [parameters] */
function groupPath(id, parameters = {}) {
  return withQuery(`/Groups/${encodeURIComponent(id)}`, parameters);
}
