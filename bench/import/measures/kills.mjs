import { once } from 'node:events';
import { startPalisade } from '../../lib/palisade.mjs';
import { withClient } from '../../lib/database.mjs';
import { progress } from '../../lib/progress.mjs';
import { importFile, startImport } from '../importer.mjs';
import { writeUsers } from '../input.mjs';

/**
 * An import that is killed at moments that nobody chooses, and called again each time: how many users are missing or there
 * twice in the end, and how many had to be sent again.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureKills({ plan, workspace, databases }) {
  const { fewUsers, kills } = plan;
  const databaseUrl = await databases.createDatabase();
  const service = await startPalisade(workspace, databaseUrl);
  const path = await writeUsers(workspace, 'k', fewUsers);
  progress(`killing the import of ${fewUsers} users ${kills} times`);
  let killed = 0;
  for (let kill = 1; kill <= kills; kill++) {
    const target = (fewUsers * kill) / (kills + 1);
    killed += await killAt(startImport(service, 'users', path), target * (0.5 + Math.random() / 2));
  }
  await importFile(service, 'users', path);
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query(`
      select count(*)::int as stored, count(distinct external_id)::int as names,
        (select count(*)::int from log_unsealed where action = 'user.create')
          + (select count(*)::int from log_records where action = 'user.create') as events
      from resources where resource_type = 'User'`),
  );
  await service.stop();
  const [{ stored, names, events }] = rows;
  return [
    {
      key: 'import_killed_wrong_users',
      name: `users missing or twice after SIGKILL, ${killed} times`,
      ours: `${stored} stored, ${events} creations recorded`,
      beside: `${fewUsers} in the file`,
      value: fewUsers - names + (stored - names) + (events - stored),
      unit: 'users',
      target: { atMost: 0 },
    },
  ];
}

/**
 * Kills an import when it says that so many records have an answer. The others of that moment are on their way.
 *
 * @param {ReturnType<typeof startImport>} child @param {number} records
 * @returns {Promise<number>} how many times it has been killed: not when it ended before
 */
async function killAt(child, records) {
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const found = [...text.matchAll(/"event":"progress","records":(\d+)/g)].some(
      (match) => Number(match[1]) >= records,
    );
    if (found) {
      child.kill('SIGKILL');
    }
  });
  child.stderr.resume();
  const [, signal] = await once(child, 'close');
  return signal === 'SIGKILL' ? 1 : 0;
}
