/**
 * A proxy in a process of its own: the pools of one backend, PostgreSQL, under this process's part of a cap. Its parent says how
 * many requests of which namespace are to be under way, and is told how many were served.
 */
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { CapParts, ControlPlaneClient, GovernedProxy, NamespacePools, UsageReporter } from '@palisade/isolation';
import { PostgresDriver } from '@palisade/isolation/postgres';

const { id, pool, url, token, config, cap, silenceMs, statementMs } = JSON.parse(process.argv[2]);
const STATEMENT = `select pg_sleep(${statementMs / 1000})`;
const TELL_MS = 100;

const driver = new PostgresDriver({
  config: { ...config, application_name: `${config.application_name}/${id}` },
  sessionState: 'trust',
  statementTimeoutMs: 2000,
  silenceMs,
});
const pools = new NamespacePools({
  name: 'postgres',
  driver,
  maxTotal: cap,
  acquireTimeoutMs: 10_000,
  idleTimeoutMs: 5000,
});
const caps = new CapParts(
  new Map([
    [
      'postgres',
      {
        snapshot: () => pools.snapshot(),
        resize: (part) => pools.resize(part),
        closeBeyond: (ceiling) => pools.closeBeyond(ceiling),
        least: () => 1,
        holdMs: driver.holdMs,
      },
    ],
  ]),
);
const usage = new UsageReporter({
  namespaces: () =>
    pools.snapshots().map(({ namespace, active, idle, queued, max }) => ({
      namespace,
      connections: [{ backend: 'postgres', active, idle, queued, max }],
      requests: 0,
      errors: 0,
      rejections: {},
      cpuSeconds: 0,
      requestsPerSecond: 0,
      bytesHeld: 0,
    })),
});
const governed = new GovernedProxy({
  client: new ControlPlaneClient({ urls: [url], token }),
  identity: { id, pool, host: '127.0.0.1', port: 1 },
  // What the policy says does not matter here.
  policy: { revision: undefined, configuration: undefined, apply() {}, change() {}, onChange() {} },
  caps,
  usage: () => usage.report(),
  logger: { log() {}, warn() {}, error() {} },
});

const wanted = new Map();
const underWay = new Map();
let served = {};
let failed = 0;

async function work(namespace) {
  while ((underWay.get(namespace) ?? 0) <= (wanted.get(namespace) ?? 0)) {
    try {
      using lease = await pools.acquire(namespace);
      await lease.connection.query(STATEMENT);
      served[namespace] = (served[namespace] ?? 0) + 1;
    } catch {
      failed++;
      await sleep(20);
    }
  }
  underWay.set(namespace, underWay.get(namespace) - 1);
}

process.on('message', ({ want }) => {
  for (const [namespace, count] of Object.entries(want)) {
    wanted.set(namespace, count);
    for (let started = underWay.get(namespace) ?? 0; started < count; started++) {
      underWay.set(namespace, started + 1);
      void work(namespace);
    }
  }
});
process.on('disconnect', () => process.exit());
setInterval(() => {
  const { active, idle, opening, closing, maxTotal, queued } = pools.snapshot();
  process.send({ served, failed, active, open: active + idle + opening + closing, part: maxTotal, queued });
  served = {};
  failed = 0;
}, TELL_MS);

await governed.onModuleInit();
process.send({ ready: randomUUID() });
process.on('SIGTERM', async () => {
  await governed.onModuleDestroy();
  await pools.drain(1000);
  await governed.leave();
  process.exit();
});
