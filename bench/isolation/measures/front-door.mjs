import { NestFactory } from '@nestjs/core';
import { compareTimes } from '../../lib/finding.mjs';
import { progress } from '../../lib/progress.mjs';

const CLIENTS = 10;
/** A job computes for about a fifth of a millisecond, as one that renders a page of rows does. */
const ROWS = 500;
const JOBS_PER_CYCLE = 0.2;

/** Connections and clients that lead nowhere. */
class IdleDriver {
  async connect() {
    return {};
  }

  isUsable() {
    return true;
  }

  async close() {}

  scope() {
    return { async [Symbol.asyncDispose]() {} };
  }
}

/**
 * What the way through the front door costs, and what it costs to tell CPU time by namespace.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureFrontDoor(context) {
  progress('measuring the front door');
  const { cycles } = context.plan;
  const jobs = Math.ceil(cycles * JOBS_PER_CYCLE);
  /** @type {Record<'direct' | 'through' | 'plain' | 'metered', number[]>} */
  const times = { direct: [], through: [], plain: [], metered: [] };
  for (let round = -1; round < context.plan.rounds; round++) {
    const spent = {
      direct: await spend(context, false, cycles, ({ pools }) => acquireAndRelease(pools)),
      through: await spend(context, false, cycles, ({ run }) => run(async () => {})),
      plain: await spend(context, false, jobs, ({ run }) => run(computeJob)),
      metered: await spend(context, true, jobs, ({ run }) => run(computeJob)),
    };
    // The first round warms up.
    if (round >= 0) {
      for (const [key, ms] of Object.entries(spent)) {
        times[/** @type {keyof typeof times} */ (key)].push(ms);
      }
    }
  }
  return [
    compareTimes({
      key: 'front_door_vs_acquire',
      name: `CPU time of ${cycles} runs that do nothing`,
      large: times.through,
      small: times.direct,
      smallName: 'acquire and release',
    }),
    compareTimes({
      key: 'cpu_metering_cost',
      name: `CPU time of ${jobs} jobs, told by namespace`,
      large: times.metered,
      small: times.plain,
      smallName: 'untold',
      target: { atMost: 1.05 },
    }),
  ];
}

/**
 * CPU milliseconds of the process for so many jobs.
 *
 * @param {import('../run.mjs').Context} context
 * @param {boolean} measuresCpu
 * @param {number} jobs
 * @param {(isolation: { pools: any, run: (work: () => Promise<unknown>) => Promise<unknown> }) => Promise<unknown>} job
 */
async function spend({ IsolationModule, Isolation, IsolationPools }, measuresCpu, jobs, job) {
  const settings = {
    isolation_level: 'namespace',
    connection_pools: { idle: { connections_per_namespace: CLIENTS, max_total_connections: CLIENTS } },
    usage: { cpu: measuresCpu },
  };
  const module = IsolationModule.forRoot({ settings, backends: { idle: new IdleDriver() } });
  const app = await NestFactory.createApplicationContext(module, { logger: false });
  const isolation = app.get(Isolation);
  const caller = { namespace: 'acme', clientId: 'bench' };
  const pools = app.get(IsolationPools).get('idle', IdleDriver);
  const run = (/** @type {() => Promise<unknown>} */ work) => isolation.run(caller, 'idle', IdleDriver, work);
  const client = async () => {
    for (let count = 0; count < jobs / CLIENTS; count++) {
      await job({ pools, run });
    }
  };
  globalThis.gc?.();
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const { user, system } = process.cpuUsage(before);
  await app.close();
  return (user + system) / 1000;
}

/** @param {any} pools */
async function acquireAndRelease(pools) {
  const lease = await pools.acquire('acme');
  lease.release();
}

const BODY = JSON.stringify(Array.from({ length: ROWS }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] })));

async function computeJob() {
  const rows = JSON.parse(BODY);
  await new Promise((resolve) => setImmediate(resolve));
  return JSON.stringify(rows).length;
}
