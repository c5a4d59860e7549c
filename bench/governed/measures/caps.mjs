import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../../lib/database.mjs';
import { progress } from '../../lib/progress.mjs';
import { median } from '../../lib/statistics.mjs';
import { POOLS } from '../site.mjs';

const CAP = 100;
const PROXIES = 8;
const FLOOD = 40;
/** Long, so that processors are not what quiet and flood compete for. */
const STATEMENT_MS = 250;
const SILENCE_MS = 3000;
const NAME = 'capped';
const ROUND_MS = 4000;
const SHIFTS = 3;
const WITHIN_MS = 60_000;

/**
 * Whether one cap over all proxies is kept whatever happens to them, what a flood leaves to others, and how fast what nobody needs
 * gets to who needs it.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureCaps({ plan, workspace, site }) {
  progress(`starting ${PROXIES} proxies with a cap of ${CAP}`);
  await site.restart({ connection_pools: { postgres: { max_total_connections: CAP } } });
  const start = (/** @type {string} */ id) => CappedProxy.start(workspace, site, id);
  const proxies = await Promise.all(Array.from({ length: PROXIES }, (_, at) => start(`cap-${at + 1}`)));
  return withClient(site.databaseUrl, async (client) => {
    const sampled = new AbortController();
    const sampling = sample(client, sampled.signal);
    const shares = await measureQuiet(plan.capRounds, proxies);
    const shifts = await measureShifts(proxies);
    await disturb(site, proxies, start);
    sampled.abort();
    const { samples, exceeded, highest } = await sampling;
    await Promise.all(proxies.map((proxy) => proxy.end()));
    return [
      {
        key: 'cap_exceeded',
        name: `samples of pg_stat_activity above a cap of ${CAP}, proxies and control plane killed and stopped`,
        ours: `${exceeded} of ${samples}`,
        beside: `at most ${highest} connections`,
        value: exceeded,
        unit: 'samples',
        target: { atMost: 0 },
      },
      {
        key: 'cluster_quiet_share',
        name: `a quiet tenant beside a flood on all ${PROXIES} proxies`,
        ours: `${shares.map((share) => share.toFixed(3)).join(', ')}`,
        beside: 'the same alone',
        value: median(shares),
        target: { atLeast: 0.95 },
      },
      {
        key: 'cap_shift_s',
        name: 'until what one proxy no longer needs is in use at another, the slowest',
        ours: shifts.map((seconds) => `${seconds.toFixed(2)} s`).join(', '),
        beside: '',
        value: Math.max(...shifts),
        unit: 's',
        target: { atMost: 2 },
      },
    ];
  });
}

/** What the quiet tenant gets beside the flood, as a share of what it gets alone, in turn. */
async function measureQuiet(/** @type {number} */ rounds, /** @type {readonly CappedProxy[]} */ proxies) {
  const shares = [];
  for (let round = 0; round < rounds; round += 1) {
    progress(`a quiet tenant alone and beside a flood, ${round + 1} of ${rounds}`);
    proxies.forEach((proxy) => proxy.want({ quiet: 1, flood: 0 }));
    const alone = await countQuiet(proxies);
    proxies.forEach((proxy) => proxy.want({ flood: FLOOD }));
    const beside = await countQuiet(proxies);
    shares.push(beside / alone);
  }
  proxies.forEach((proxy) => proxy.want({ quiet: 0, flood: 0 }));
  return shares;
}

async function countQuiet(/** @type {readonly CappedProxy[]} */ proxies) {
  await sleep(ROUND_MS / 2);
  const before = sumOf(proxies, 'quiet');
  await sleep(ROUND_MS);
  return sumOf(proxies, 'quiet') - before;
}

function sumOf(/** @type {readonly CappedProxy[]} */ proxies, /** @type {string} */ namespace) {
  return proxies.reduce((sum, { served }) => sum + (served.get(namespace) ?? 0), 0);
}

/** @param {readonly CappedProxy[]} proxies */
async function measureShifts(proxies) {
  const seconds = [];
  for (let shift = 0; shift < SHIFTS; shift += 1) {
    progress(`moving all load from one proxy to another, ${shift + 1} of ${SHIFTS}`);
    const [from, to] = [proxies[shift], proxies[shift + 1]];
    const most = CAP / 2;
    from.want({ flood: CAP });
    await until(() => from.told.active >= most);
    from.want({ flood: 0 });
    await until(() => from.told.active === 0);
    const startedAtMs = performance.now();
    to.want({ flood: CAP });
    await until(() => to.told.active >= most);
    seconds.push((performance.now() - startedAtMs) / 1000);
    to.want({ flood: 0 });
    await until(() => to.told.active === 0);
  }
  return seconds;
}

/**
 * Everything that may happen, while all proxies want more than there is.
 *
 * @param {import('../site.mjs').Site} site @param {CappedProxy[]} proxies @param {(id: string) => Promise<CappedProxy>} start
 */
async function disturb(site, proxies, start) {
  proxies.forEach((proxy) => proxy.want({ flood: FLOOD }));
  await sleep(ROUND_MS);
  for (const at of [0, 1]) {
    progress(`killing proxy ${at + 1}, and starting it again`);
    await proxies[at].end();
    proxies[at] = await start(`cap-${at + 1}`);
    proxies[at].want({ flood: FLOOD });
    await sleep(ROUND_MS);
  }
  progress('stopping two proxies for longer than the server keeps their connections, and killing the control plane');
  proxies[2].signal('SIGSTOP');
  proxies[3].signal('SIGSTOP');
  await sleep(ROUND_MS);
  process.kill(site.controlPlane.pid, 'SIGKILL');
  await sleep(ROUND_MS);
  await site.restart({ connection_pools: { postgres: { max_total_connections: CAP } } });
  proxies[2].signal('SIGCONT');
  proxies[3].signal('SIGCONT');
  await sleep(2 * ROUND_MS);
  progress('stopping the control plane until all parts have run out, and having it go on');
  process.kill(site.controlPlane.pid, 'SIGSTOP');
  await until(() => proxies.every((proxy) => proxy.told.part < CAP / PROXIES));
  process.kill(site.controlPlane.pid, 'SIGCONT');
  await sleep(2 * ROUND_MS);
  await proxies[4].leave();
  await sleep(ROUND_MS);
}

/** @param {import('pg').Client} client @param {AbortSignal} signal */
async function sample(client, signal) {
  const found = { samples: 0, exceeded: 0, highest: 0 };
  while (!signal.aborted) {
    const { rows } = await client.query(
      `select count(*)::int as count from pg_stat_activity where application_name like '${NAME}/%'`,
    );
    found.samples += 1;
    found.exceeded += rows[0].count > CAP ? 1 : 0;
    found.highest = Math.max(found.highest, rows[0].count);
    await sleep(5);
  }
  return found;
}

/** @param {() => boolean} condition */
async function until(condition) {
  const endMs = performance.now() + WITHIN_MS;
  while (!condition()) {
    if (performance.now() > endMs) {
      throw new Error(`the proxies did not get there within ${WITHIN_MS} ms: ${String(condition)}`);
    }
    await sleep(10);
  }
}

/** A proxy in a process of its own. */
class CappedProxy {
  told = { active: 0, open: 0, part: 0 };
  /** @type {Map<string, number>} */
  served = new Map();

  /** @param {import('node:child_process').ChildProcess} child */
  constructor(child) {
    this.child = child;
    child.on('message', (/** @type {any} */ { served = {}, ...told }) => {
      this.told = { ...this.told, ...told };
      for (const [namespace, count] of Object.entries(served)) {
        this.served.set(namespace, (this.served.get(namespace) ?? 0) + Number(count));
      }
    });
  }

  /**
   * @param {import('../../lib/workspace.mjs').Workspace} workspace @param {import('../site.mjs').Site} site
   * @param {string} id
   */
  static async start(workspace, site, id) {
    const { origin: url, token } = site.controlPlane;
    const config = { connectionString: site.databaseUrl, application_name: NAME };
    const given = {
      id,
      pool: POOLS.ours,
      url,
      token,
      config,
      cap: CAP,
      silenceMs: SILENCE_MS,
      statementMs: STATEMENT_MS,
    };
    const folder = join(import.meta.dirname, '..');
    const hooks = join(folder, '../isolation/typescript-hooks.mjs');
    const child = spawn(
      process.execPath,
      ['--import', hooks, join(folder, 'capped-proxy.mjs'), JSON.stringify(given)],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    );
    const proxy = new CappedProxy(child);
    workspace.defer(() => proxy.end());
    await once(child, 'message');
    return proxy;
  }

  /** @param {Readonly<Record<string, number>>} want requests under way by namespace */
  want(want) {
    this.child.send({ want });
  }

  /** @param {NodeJS.Signals} signal */
  signal(signal) {
    this.child.kill(signal);
  }

  /** Ends as it should. */
  async leave() {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }

  async end() {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exited = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await exited;
    }
  }
}
