import { setTimeout as sleep } from 'node:timers/promises';
import { progress } from '../../lib/progress.mjs';
import { startPgBouncer } from '../pgbouncer.mjs';

const JOB = 'select pg_sleep(0.05)';
export const CAP = 5;
export const NOISY_CLIENTS = 20;
const FLOOD_CAP = 10;
const FLOOD_CLIENTS = 100;
const QUIET_NAMESPACES = ['quiet-1', 'quiet-2', 'quiet-3', 'quiet-4'];
/** Until everybody has the connections that they will have. */
const SETTLING_MS = 1000;

/**
 * Runs one job for a namespace.
 *
 * @typedef {(namespace: string) => Promise<unknown>} RunJob
 */

/**
 * What a namespace with few clients gets beside one with many, on PostgreSQL.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureNeighbours(context) {
  const { NamespacePools, PostgresDriver, databaseUrl } = context;
  const driver = new PostgresDriver({ config: { connectionString: databaseUrl } });
  const withPools = async (maxTotal, measure) => {
    const pools = new NamespacePools({ name: 'postgres', driver, maxTotal, acquireTimeoutMs: 60_000 });
    try {
      return await measure(async (namespace) => {
        using lease = await pools.acquire(namespace);
        await lease.connection.query(JOB);
      });
    } finally {
      await pools.destroy();
    }
  };
  progress('measuring a quiet namespace beside a noisy one');
  const ours = await withPools(CAP, (run) => measureQuietBesideNoisy(run, context.plan.jobSeconds));
  const flood = await withPools(FLOOD_CAP, (run) => measureFlood(run, context.plan.jobSeconds));
  return [...describeOurs(ours), describeFlood(flood), ...(await measurePgBouncer(context))];
}

/** @param {Awaited<ReturnType<typeof measureQuietBesideNoisy>>} rates */
function describeOurs({ alone, quiet, noisy }) {
  return [
    {
      key: 'quiet_share_of_alone',
      name: `quiet namespace beside ${NOISY_CLIENTS} noisy clients, cap ${CAP}`,
      ours: `${quiet.toFixed(1)}/s`,
      beside: `alone ${alone.toFixed(1)}/s`,
      value: quiet / alone,
      target: { atLeast: 0.95 },
    },
    {
      key: 'total_vs_cap',
      name: '- all jobs, beside what the cap allows',
      ours: `${(quiet + noisy).toFixed(1)}/s`,
      beside: `${CAP} x ${alone.toFixed(1)}/s`,
      value: (quiet + noisy) / (CAP * alone),
      target: { atLeast: 0.95 },
    },
  ];
}

/** @param {{ alone: number, rates: number[] }} flood */
function describeFlood({ alone, rates }) {
  return {
    key: 'flood_quiet_share_of_alone',
    name: `worst of ${rates.length} quiet namespaces beside ${FLOOD_CLIENTS} clients, cap ${FLOOD_CAP}`,
    ours: `${Math.min(...rates).toFixed(1)}/s`,
    beside: `alone ${alone.toFixed(1)}/s`,
    value: Math.min(...rates) / alone,
    target: { atLeast: 0.95 },
  };
}

/** The same script through PgBouncer with the same cap, if there is one. @param {import('../run.mjs').Context} context */
async function measurePgBouncer({ plan, workspace, databaseUrl }) {
  const key = 'pgbouncer_quiet_share_of_alone';
  const bouncer = await startPgBouncer(workspace, { databaseUrl, maxConnections: CAP });
  if (bouncer === undefined) {
    progress('there is no pgbouncer in PATH: not measured');
    return [];
  }
  progress('measuring the same through PgBouncer');
  const clients = new Map([
    ['quiet', [await bouncer.connect('quiet')]],
    ['noisy', await Promise.all(Array.from({ length: NOISY_CLIENTS }, () => bouncer.connect('noisy')))],
  ]);
  const free = new Map([...clients].map(([name, all]) => [name, [...all]]));
  const run = async (/** @type {string} */ name) => {
    const client = free.get(name).pop();
    await client.query(JOB);
    free.get(name).push(client);
  };
  const { alone, quiet, noisy } = await measureQuietBesideNoisy(run, plan.jobSeconds);
  await bouncer.stop();
  return [
    {
      key,
      name: `the same through ${bouncer.version}`,
      ours: `${quiet.toFixed(2)}/s`,
      beside: `alone ${alone.toFixed(1)}/s, all jobs ${(quiet + noisy).toFixed(1)}/s`,
      value: quiet / alone,
    },
  ];
}

/** @param {RunJob} run @param {number} seconds @returns jobs per second */
export async function measureQuietBesideNoisy(run, seconds) {
  const [alone] = await measureRates(run, { quiet: 1 }, seconds);
  const [quiet, noisy] = await measureRates(run, { quiet: 1, noisy: NOISY_CLIENTS }, seconds);
  return { alone, quiet, noisy };
}

/** @param {RunJob} run @param {number} seconds */
async function measureFlood(run, seconds) {
  const quiet = Object.fromEntries(QUIET_NAMESPACES.map((name) => [name, 2]));
  const [alone] = await measureRates(run, { [QUIET_NAMESPACES[0]]: 2 }, seconds);
  const rates = await measureRates(run, { ...quiet, flood: FLOOD_CLIENTS }, seconds);
  return { alone, rates: rates.slice(0, QUIET_NAMESPACES.length) };
}

/**
 * Clients that do one job after the other.
 *
 * @param {RunJob} run @param {Readonly<Record<string, number>>} clients by namespace @param {number} seconds
 * @returns {Promise<number[]>} jobs per second of each namespace
 */
async function measureRates(run, clients, seconds) {
  const end = new AbortController();
  const jobs = Object.keys(clients).map(() => 0);
  let isCounting = false;
  const work = async (/** @type {string} */ namespace, /** @type {number} */ index) => {
    while (!end.signal.aborted) {
      await run(namespace);
      jobs[index] += Number(isCounting);
    }
  };
  const all = Object.entries(clients).flatMap(([namespace, count], index) =>
    Array.from({ length: count }, () => work(namespace, index)),
  );
  await sleep(SETTLING_MS);
  isCounting = true;
  const startedAt = performance.now();
  await sleep(seconds * 1000);
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  isCounting = false;
  end.abort();
  await Promise.all(all);
  return jobs.map((count) => count / elapsedSeconds);
}
