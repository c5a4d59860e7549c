import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createToken, startPalisade } from '../../lib/palisade.mjs';
import { progress } from '../../lib/progress.mjs';
import { userPath } from '../../lib/scim-client.mjs';
import { createUsers } from '../../lib/seeding.mjs';
import { median, percentile } from '../../lib/statistics.mjs';
import { POOLS, PROXIES } from '../site.mjs';

const NAMESPACE = 'vault';
const POLL_MS = 5;
const WITHIN_MS = 60_000;
const BETWEEN_USERS_MS = 50;
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/**
 * How long a deactivated user keeps connections, and what it takes to decide about access.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureRevocation({ plan, workspace, site }) {
  progress(`starting the SCIM service and ${PROXIES} proxies`);
  const directory = await openDirectory(workspace, site, plan);
  const proxies = await Promise.all(Array.from({ length: PROXIES }, (_, at) => site.startProxy(`access-${at + 1}`)));
  const server = new Client({ connectionString: site.databaseUrl, application_name: 'bench' });
  await server.connect();
  workspace.defer(() => server.end());
  const scene = { plan, site, server, proxies, directory };
  const decisions = await measureDecisions(scene);
  const revoked = await measureDeactivations(scene);
  const killed = await measureKills(scene);
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await directory.stop();
  return [describeRevoked(plan, revoked), describeKilled(plan, killed), ...describeDecisions(decisions)];
}

/**
 * @typedef {object} Scene
 * @property {import('../plan.mjs').Plan} plan
 * @property {import('../site.mjs').Site} site
 * @property {Client} server
 * @property {readonly Awaited<ReturnType<import('../site.mjs').Site['startProxy']>>[]} proxies
 * @property {Awaited<ReturnType<typeof openDirectory>>} directory
 */

/**
 * Users who may write in one namespace, because their group is bound to it.
 *
 * @param {import('../../lib/workspace.mjs').Workspace} workspace @param {import('../site.mjs').Site} site
 * @param {import('../plan.mjs').Plan} plan
 */
async function openDirectory(workspace, { databaseUrl, cap, controlPlane }, plan) {
  const adminToken = createToken();
  const { client, origin, stop } = await startPalisade(workspace, databaseUrl, { SVC_ADMIN_TOKEN: adminToken });
  const users = await createUsers(client, 'revoked', plan.users);
  const members = users.map((value) => ({ value }));
  const group = await client.send('POST', '/Groups', { schemas: [GROUP], displayName: 'revoked', members });
  await controlPlane.post('/tenants', {
    tenant_id: NAMESPACE,
    namespace_pattern: NAMESPACE,
    pool: POOLS.ours,
    isolation_level: 'session',
    connection_pools: { postgres: { connections_per_namespace: cap } },
  });
  const response = await fetch(`${origin}/api/v1/bindings`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ bound_subject: group.id, namespace: NAMESPACE, relation: 'write' }),
  });
  if (!response.ok) {
    throw new Error(`the binding was answered with ${response.status}: ${await response.text()}`);
  }
  return {
    users,
    stop,
    /** Resolves to when it was answered. @param {string} user @param {boolean} value */
    async setActive(user, value) {
      const Operations = [{ op: 'replace', path: 'active', value }];
      await client.send('PATCH', userPath(user), { schemas: [PATCH_OP], Operations });
      return performance.now();
    },
  };
}

/** @param {Scene} scene */
async function measureDecisions({ plan, proxies: [proxy], directory }) {
  progress(`measuring ${plan.accessRounds} rounds of decisions`);
  const rounds = [];
  for (let round = 0; round < plan.accessRounds; round += 1) {
    rounds.push(await proxy.tell('decide', { namespace: NAMESPACE, user: directory.users[0] }));
  }
  return rounds;
}

/** One after the other, while all others keep their sessions. @param {Scene} scene */
async function measureDeactivations(scene) {
  const { plan, server, directory } = scene;
  progress(`opening ${plan.users * plan.sessionsPerUser} sessions of ${plan.users} users`);
  const connections = await openSessions(scene, directory.users);
  progress(`deactivating ${plan.users} users`);
  const taken = [];
  for (const user of directory.users) {
    const answeredAt = await directory.setActive(user, false);
    const closedAt = await untilClosed(server, connections.get(user));
    taken.push(closedAt - answeredAt);
    connections.delete(user);
    const others = [...connections.values()].flat();
    const open = await countOpen(server, others);
    if (open !== others.length) {
      throw new Error(`${others.length - open} connections of other users were closed with those of ${user}`);
    }
    await sleep(BETWEEN_USERS_MS);
  }
  return taken;
}

/** The control plane is gone before it can have read that somebody was deactivated. @param {Scene} scene */
async function measureKills(scene) {
  const { plan, site, server, directory } = scene;
  const users = directory.users.slice(0, plan.usersPerKill);
  const taken = [];
  for (let kill = 0; kill < plan.kills; kill += 1) {
    progress(`killing the control plane while ${users.length} users are deactivated`);
    await Promise.all(users.map((user) => directory.setActive(user, true)));
    const connections = await openSessions(scene, users);
    process.kill(site.controlPlane.pid, 'SIGKILL');
    taken.push(
      ...(await Promise.all(
        users.map(async (user) => {
          const answeredAt = await directory.setActive(user, false);
          return (await untilClosed(server, connections.get(user))) - answeredAt;
        }),
      )),
    );
    await site.restart();
  }
  return taken;
}

/**
 * The sessions of each user are spread over all proxies. Who was denied shortly before may have to be asked for again.
 *
 * @param {Scene} scene @param {readonly string[]} users
 * @returns {Promise<Map<string, number[]>>} the server's processes behind the connections, by user
 */
async function openSessions({ plan, proxies }, users) {
  const opened = await Promise.all(
    proxies.map((proxy, at) => {
      const counts = users.map((user, index) => [user, shareOf(plan.sessionsPerUser, (at + index) % PROXIES)]);
      return proxy.tell('open', { namespace: NAMESPACE, users: Object.fromEntries(counts), withinMs: WITHIN_MS });
    }),
  );
  return new Map(users.map((user) => [user, opened.flatMap((pids) => pids[user])]));
}

/** @param {number} sessions @param {number} at */
function shareOf(sessions, at) {
  return Math.floor(sessions / PROXIES) + Number(at < sessions % PROXIES);
}

/** When the server is seen to have none of them. @param {Client} server @param {readonly number[]} pids */
async function untilClosed(server, pids) {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const open = await countOpen(server, pids);
    const at = performance.now();
    if (open === 0) {
      return at;
    }
    if (at > deadline) {
      throw new Error(`${open} of ${pids.length} connections are open after ${WITHIN_MS} ms`);
    }
    await sleep(POLL_MS);
  }
}

/** @param {Client} server @param {readonly number[]} pids */
async function countOpen(server, pids) {
  const { rows } = await server.query('select count(*)::int as open from pg_stat_activity where pid = any($1)', [pids]);
  return rows[0].open;
}

/** @param {import('../plan.mjs').Plan} plan @param {readonly number[]} ms @returns {import('../../lib/finding.mjs').Finding} */
function describeRevoked({ users, sessionsPerUser }, ms) {
  return {
    key: 'revoked_p99_ms',
    name: `deactivation to last connection closed, ${users * sessionsPerUser} sessions of ${users} users, p99`,
    ours: `median ${median(ms).toFixed(0)} ms`,
    beside: `longest ${Math.max(...ms).toFixed(0)} ms`,
    value: percentile(ms, 99),
    unit: 'ms',
    target: { atMost: 1000 },
  };
}

/** @param {import('../plan.mjs').Plan} plan @param {readonly number[]} ms @returns {import('../../lib/finding.mjs').Finding} */
function describeKilled({ kills, usersPerKill }, ms) {
  return {
    key: 'revoked_after_kill_p99_s',
    name: `- with the control plane killed, ${kills} times with ${usersPerKill} users, p99`,
    ours: `median ${(median(ms) / 1000).toFixed(1)} s`,
    beside: `longest ${(Math.max(...ms) / 1000).toFixed(1)} s`,
    value: percentile(ms, 99) / 1000,
    unit: 's',
    target: { atMost: 30 },
  };
}

/** @param {readonly { decision: number, request: number }[]} rounds @returns {import('../../lib/finding.mjs').Finding[]} */
function describeDecisions(rounds) {
  const decision = median(rounds.map((round) => round.decision));
  const request = median(rounds.map((round) => round.request));
  return [
    {
      key: 'access_known_us',
      name: 'decision about access that is known',
      ours: `${decision.toFixed(2)} us`,
      beside: '',
      value: decision,
      unit: 'us',
      target: { atMost: 50 },
    },
    {
      key: 'access_share_of_request',
      name: '- its share of a request of one statement on PostgreSQL',
      ours: `${decision.toFixed(2)} us`,
      beside: `${request.toFixed(0)} us`,
      value: (100 * decision) / request,
      unit: '%',
    },
  ];
}
