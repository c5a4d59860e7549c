import { startPalisade } from '../../lib/palisade.mjs';
import { compareRates } from '../../lib/finding.mjs';
import { progress } from '../../lib/progress.mjs';
import { createUsers } from '../../lib/seeding.mjs';
import { importFile } from '../importer.mjs';
import { writeUsers } from '../input.mjs';

/** As many requests under way as the import has. */
const CLIENTS = 8;

/**
 * An import beside what anybody would write first: one POST for each user, as many at a time, on connections that are kept. In
 * turn, on the same service; the start of the command counts.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureSinglePosts({ plan, workspace, databases }) {
  const { rounds, roundUsers } = plan;
  const service = await startPalisade(workspace, await databases.createDatabase());
  await createUsers(service.client, 'warm', roundUsers, CLIENTS);
  const [ours, singles] = [[], []];
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1} of ${rounds}: ${roundUsers} users by import and by single requests`);
    const path = await writeUsers(workspace, `i${round}`, roundUsers);
    ours.push(roundUsers / (await importFile(service, 'users', path)).seconds);
    const startedAt = performance.now();
    await createUsers(service.client, `s${round}`, roundUsers, CLIENTS);
    singles.push(roundUsers / ((performance.now() - startedAt) / 1000));
  }
  await service.stop();
  const others = { [`${CLIENTS} clients, one POST each`]: singles };
  return [
    compareRates({
      key: 'import_vs_single_posts',
      name: `import of ${roundUsers} users`,
      ours,
      others,
      target: { atLeast: 1.25 },
    }),
  ];
}
