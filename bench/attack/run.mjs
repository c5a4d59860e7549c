/** `npm run attack [-- --short]`: see bench/README.md. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabaseServer, withClient } from '../lib/database.mjs';
import { residentMib } from '../lib/memory.mjs';
import { startPalisade } from '../lib/palisade.mjs';
import { progress } from '../lib/progress.mjs';
import { runBenchmark } from '../lib/run-benchmark.mjs';
import { ScimClient, userPath } from '../lib/scim-client.mjs';
import { percentile } from '../lib/statistics.mjs';
import { createUser, keyOf } from '../lib/users.mjs';
import { NUMBER_MARK, cloneRows } from '../scim/clone-rows.mjs';
import { choosePlan } from './plan.mjs';

const HEAP_MIB = 256;
const EMAILS = 230;
const EMAIL_PADDING = 900;
const GROUP_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PROBE_INTERVAL_MS = 20;
const ALONE_SECONDS = 5;
const ADMIN_TOKEN = 'admin-token-of-the-attack';

await runBenchmark('attack', (workspace) => attack(choosePlan(process.argv.slice(2)), workspace));

/** @param {import('./plan.mjs').Plan} plan @param {import('../lib/workspace.mjs').Workspace} workspace */
async function attack(plan, workspace) {
  progress('starting PostgreSQL');
  const database = await (await openDatabaseServer(workspace)).createDatabase();
  const server = await startPalisade(workspace, database, {
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    SVC_ADMIN_TOKEN: ADMIN_TOKEN,
  });
  progress(`one provider: ${plan.users} users of 230 kB, ${plan.groups} groups of ${plan.members} members`);
  const groups = await populate(plan, server.client, database);
  const quiet = await createQuietProvider(server.origin);
  const { id } = await quiet.send('POST', '/Users', createUser(keyOf('quiet', 0)));

  const probe = () => quiet.send('GET', userPath(id));
  const alive = () => fetch(`${server.origin}/health/live`).then((response) => response.text());
  const alone = await probeFor(ALONE_SECONDS, probe);
  progress(`${plan.clients} clients ask for everything for ${plan.seconds} s`);
  const greedy = beGreedy(plan, server.client, groups, workspace);
  const [beside, live, peakMib] = await Promise.all([
    probeFor(plan.seconds, probe),
    probeFor(plan.seconds, alive),
    peakMemory(server.pid, plan.seconds),
  ]);
  const outcome = await greedy;
  progress(JSON.stringify(outcome));
  await alive();
  alone.push(...(await probeFor(ALONE_SECONDS, probe)));
  quiet.close();
  return findings({ alone, beside, live, peakMib, outcome });
}

/** @returns {import('../lib/finding.mjs').Finding[]} */
function findings({ alone, beside, live, peakMib, outcome }) {
  const [aloneMs, besideMs, liveMs] = [alone, beside, live].map((times) => percentile(times, 99));
  const asked = `${outcome.answers} answers, ${Math.round(outcome.bytes / 2 ** 20)} MiB, ${outcome.busy} times 429`;
  return [
    {
      key: 'attack_quiet_p99',
      name: "another provider's p99 beside one that asks for everything",
      ours: `${besideMs.toFixed(1)} ms`,
      beside: `${aloneMs.toFixed(1)} ms alone; ${asked}`,
      value: besideMs / aloneMs,
      target: { atMost: 3 },
    },
    {
      key: 'attack_live_p99_ms',
      name: '/health/live meanwhile, p99',
      ours: `${liveMs.toFixed(1)} ms`,
      beside: '',
      value: liveMs,
      unit: 'ms',
      target: { atMost: 100 },
    },
    {
      key: 'attack_peak_mib',
      name: `resident memory meanwhile, with a heap of ${HEAP_MIB} MiB`,
      ours: `${Math.round(peakMib)} MiB`,
      beside: '',
      value: peakMib,
      unit: 'MiB',
      target: { atMost: 2 * HEAP_MIB },
    },
  ];
}

/** @param {import('./plan.mjs').Plan} plan @param {ScimClient} client @param {string} database @returns {Promise<string[]>} ids of the groups */
async function populate({ users, groups, members }, client, database) {
  const emails = Array.from({ length: EMAILS }, (_, index) => ({
    value: `${index}${randomText(EMAIL_PADDING)}@example.com`,
  }));
  const { id: user } = await client.send('POST', '/Users', { ...createUser(`large-${NUMBER_MARK}`), emails });
  const ids = [];
  for (let index = 0; index < groups; index++) {
    const body = { schemas: [GROUP_URN], externalId: `large-${index}`, displayName: `Large ${index}` };
    ids.push((await client.send('POST', '/Groups', { ...body, members: [{ value: user }] })).id);
  }
  await withClient(database, async (connection) => {
    await cloneRows(connection, { table: 'resources', where: `id = '${user}'`, count: users });
    await connection.query(
      `insert into memberships (provider_id, group_id, member_id)
       select 'default', g, 'user:scim:default:member-' || i from unnest($1::text[]) g, generate_series(2, $2::integer) i`,
      [ids, members],
    );
    await connection.query(`update resources set member_count = $2 where id = any($1)`, [ids, members]);
    await connection.query('analyze');
  });
  return ids;
}

/** @param {number} length */
function randomText(length) {
  return Array.from({ length }, () => Math.floor(Math.random() * 36).toString(36)).join('');
}

/** @param {string} origin */
async function createQuietProvider(origin) {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
  const post = async (path, body) => {
    const response = await fetch(`${origin}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json();
  };
  await post('/providers', { id: 'quiet' });
  const { secret } = await post('/providers/quiet/tokens', {});
  return new ScimClient(`${origin}/scim/v2`, secret);
}

/** How long each request took, in ms. @param {number} seconds @param {() => Promise<unknown>} send */
async function probeFor(seconds, send) {
  const times = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const startedAt = performance.now();
    await send();
    times.push(performance.now() - startedAt);
    await sleep(PROBE_INTERVAL_MS);
  }
  return times;
}

/** @param {number} pid @param {number} seconds */
async function peakMemory(pid, seconds) {
  let peak = 0;
  for (let second = 0; second < seconds; second++) {
    peak = Math.max(peak, residentMib(pid));
    await sleep(1000);
  }
  return peak;
}

/**
 * @param {import('./plan.mjs').Plan} plan
 * @param {ScimClient} client
 * @param {readonly string[]} groups
 * @param {import('../lib/workspace.mjs').Workspace} workspace
 */
async function beGreedy({ clients, idleClients, seconds }, { base, token }, groups, workspace) {
  const groupPaths = groups.map((id) => `/Groups/${encodeURIComponent(id)}`);
  const paths = ['/Users?count=1000', ...groupPaths, '/Groups?count=1000', '/Users?count=1000&sortBy=userName'];
  const greed = { base, token, paths, idlePath: groupPaths[0], clients, idleClients, seconds };
  const child = fork(join(import.meta.dirname, 'greedy-clients.mjs'), [JSON.stringify(greed)]);
  workspace.defer(() => child.kill());
  const [outcome] = await once(child, 'message');
  return outcome;
}
