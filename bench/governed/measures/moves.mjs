import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePorts } from '../../../scripts/lib/test-services/free-ports.mjs';
import { findProgram } from '../../../scripts/lib/test-services/find-program.mjs';
import { runHaproxy } from '../../control-plane/haproxy.mjs';
import { clonedName } from '../../control-plane/population.mjs';
import { progress } from '../../lib/progress.mjs';
import { POOLS, PROXIES } from '../site.mjs';

const CLIENTS = 16;
const CHANGES_PER_TENANT = 2;
const BETWEEN_CHANGES_MS = 20;
const LEVELS = ['none', 'namespace', 'session'];
const MOVING_POOLS = [POOLS.ours, POOLS.other];
/** Longer than a load balancer may send a tenant to the pool that it has left. */
const ROUTED_WITHIN_MS = 10_000;
const WITHIN_MS = 120_000;

/**
 * What happens to requests while tenants move between pools and get other levels: every change is made without waiting for the
 * one before to be in force anywhere.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureMoves({ plan, workspace, site }) {
  const binary = findProgram('haproxy');
  if (binary === undefined) {
    progress('there is no haproxy in PATH: moves are not measured');
    return [];
  }
  const { port, proxies } = await startHaproxy(workspace, site, binary);
  const tenants = Array.from({ length: plan.movingTenants }, (_, at) => new MovingTenant(clonedName(at)));
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  workspace.defer(() => agent.destroy());
  const get = (/** @type {string} */ namespace) => send(agent, port, namespace);
  progress(`waiting until ${tenants.length} tenants are served through HAProxy`);
  for (const tenant of tenants) {
    await tenant.change(site);
  }
  await untilServed(get, tenants);
  progress(`sending ${plan.requests} requests while ${tenants.length} tenants move`);
  const counts = await sendWhileMoving({ site, tenants, get, requests: plan.requests });
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  return describe(counts, tenants.length);
}

/**
 * With two proxies in each pool.
 *
 * @param {import('../../lib/workspace.mjs').Workspace} workspace @param {import('../site.mjs').Site} site @param {string} binary
 */
async function startHaproxy(workspace, site, binary) {
  const [port] = await findFreePorts(1);
  const at = (/** @type {string} */ name) => join(workspace.directory, name);
  const files = { config_path: at('haproxy.cfg'), master_socket: at('master.sock'), runtime_socket: at('run.sock') };
  progress(`starting HAProxy and ${PROXIES} proxies in two pools`);
  await site.restart({ load_balancer: { type: 'haproxy', binary, bind: `127.0.0.1:${port}`, ...files } });
  const pools = [...MOVING_POOLS, ...MOVING_POOLS];
  const proxies = await Promise.all(pools.map((pool, at) => site.startProxy(`moves-${at + 1}`, pool)));
  const deadline = performance.now() + WITHIN_MS;
  while (!existsSync(files.config_path)) {
    if (performance.now() > deadline) {
      throw new Error(`the control plane has not written ${files.config_path} within ${WITHIN_MS} ms`);
    }
    await sleep(50);
  }
  runHaproxy(workspace, [binary, '-W', '-S', files.master_socket, '-f', files.config_path]);
  return { port, proxies };
}

/** A tenant with one namespace, and where it was. */
class MovingTenant {
  #changes = 0;
  #pool = MOVING_POOLS[0];
  /** @type {Map<string, number>} */
  #leftAt = new Map();

  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }

  /** The next pool, and another level. @param {import('../site.mjs').Site} site */
  async change({ controlPlane }) {
    const change = this.#changes++;
    const pool = MOVING_POOLS[change % MOVING_POOLS.length];
    this.#leftAt.set(this.#pool, Infinity);
    await controlPlane.put(`/tenants/${this.name}`, {
      namespace_pattern: this.name,
      pool,
      isolation_level: LEVELS[(change + Math.floor(change / LEVELS.length)) % LEVELS.length],
    });
    this.#leftAt.set(this.#pool, performance.now());
    this.#pool = pool;
    this.#leftAt.delete(pool);
  }

  /** Whether a request that began then may be answered by this pool. @param {string} pool @param {number} beganAt */
  mayBeServedBy(pool, beganAt) {
    return pool === this.#pool || beganAt - (this.#leftAt.get(pool) ?? -Infinity) < ROUTED_WITHIN_MS;
  }
}

/**
 * @typedef {object} Counts
 * @property {number} sent
 * @property {number} weaker
 * @property {number} changes
 * @property {Map<string, number>} failures by what was answered
 */

/**
 * @param {object} options
 * @param {import('../site.mjs').Site} options.site
 * @param {readonly MovingTenant[]} options.tenants
 * @param {(namespace: string) => Promise<Answer>} options.get
 * @param {number} options.requests at least
 * @returns {Promise<Counts>}
 */
async function sendWhileMoving({ site, tenants, get, requests }) {
  /** @type {Counts} */
  const counts = { sent: 0, weaker: 0, changes: 0, failures: new Map() };
  const leastChanges = tenants.length * CHANGES_PER_TENANT;
  const isOver = () => counts.sent >= requests && counts.changes >= leastChanges;
  const work = async () => {
    while (!isOver()) {
      const tenant = tenants[Math.floor(Math.random() * tenants.length)];
      const beganAt = performance.now();
      const { status, body } = await get(tenant.name);
      counts.sent += 1;
      counts.weaker += Number(body.isWeaker === true);
      const isMisrouted = status === 200 && !tenant.mayBeServedBy(body.pool, beganAt);
      const failure = isMisrouted ? `misrouted to ${body.pool}` : `${status} ${body.code}`;
      if (isMisrouted || status !== 200) {
        counts.failures.set(failure, (counts.failures.get(failure) ?? 0) + 1);
      }
    }
  };
  const move = async () => {
    while (!isOver()) {
      await tenants[counts.changes % tenants.length].change(site);
      counts.changes += 1;
      await sleep(BETWEEN_CHANGES_MS);
    }
  };
  await Promise.all([move(), ...Array.from({ length: CLIENTS }, work)]);
  return counts;
}

/** @param {(namespace: string) => Promise<Answer>} get @param {readonly MovingTenant[]} tenants */
async function untilServed(get, tenants) {
  const deadline = performance.now() + WITHIN_MS;
  for (const { name } of tenants) {
    for (let answer = await get(name); answer.status !== 200; answer = await get(name)) {
      if (performance.now() > deadline) {
        throw new Error(`${name} is answered ${answer.status} ${JSON.stringify(answer.body)} after ${WITHIN_MS} ms`);
      }
      await sleep(50);
    }
  }
}

/** @typedef {{ status: number, body: { pool?: any, isWeaker?: boolean, code?: string } }} Answer */

/** Never tries again. @param {Agent} agent @param {number} port @param {string} namespace @returns {Promise<Answer>} */
function send(agent, port, namespace) {
  const { promise, resolve } = Promise.withResolvers();
  const fail = (/** @type {any} */ error) => resolve({ status: 0, body: { code: error.code ?? String(error) } });
  const headers = { 'X-Palisade-Namespace': namespace };
  request({ host: '127.0.0.1', port, agent, headers }, (response) => {
    const isOurs = response.headers['content-type'] === 'application/json';
    const body = isOurs ? json(response) : json(response).catch(() => ({ code: 'from HAProxy' }));
    body.then((read) => resolve({ status: response.statusCode ?? 0, body: read }), fail);
  })
    .once('error', fail)
    .end();
  return promise;
}

/** @param {Counts} counts @param {number} tenants @returns {import('../../lib/finding.mjs').Finding[]} */
function describe({ sent, weaker, changes, failures }, tenants) {
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  const reasons = [...failures].map(([failure, count]) => `${count} x ${failure}`).join(', ');
  return [
    {
      key: 'moved_failed',
      name: `failed or misrouted of ${sent} requests, ${tenants} tenants moved, ${changes} changes`,
      ours: String(failed),
      beside: reasons,
      value: failed,
      unit: 'requests',
      target: { atMost: 0 },
    },
    {
      key: 'weaker_served',
      name: '- served at a weaker level than was in force when they began',
      ours: String(weaker),
      beside: '',
      value: weaker,
      unit: 'requests',
      target: { atMost: 0 },
    },
  ];
}
