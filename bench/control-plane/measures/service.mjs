import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '../../../scripts/lib/test-services/find-program.mjs';
import { openDatabaseServer } from '../../lib/database.mjs';
import { progress } from '../../lib/progress.mjs';
import { median, percentile } from '../../lib/statistics.mjs';
import { startControlPlane } from '../control-plane-service.mjs';
import { runHaproxy, startProxy } from '../haproxy.mjs';
import { SEED, clonedName, cloneTenants } from '../population.mjs';
import { findFreePorts } from '../../../scripts/lib/test-services/free-ports.mjs';

const FEW = 10_000;
const MANY = 100_000;
const REGISTRATIONS = 20;
/** Longer than the service puts changes together, and no multiple of the time between its looks at the store. */
const BETWEEN_REGISTRATIONS_MS = 870;
const WITHIN_MS = 60_000;
const POLL_MS = 2;

/**
 * The built service on PostgreSQL: how long it takes to start, and until HAProxy serves a tenant that was registered.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureService({ plan, workspace }) {
  progress('starting PostgreSQL');
  const database = await (await openDatabaseServer(workspace)).createDatabase();
  await plantSeed(workspace, database);
  await cloneTenants(database, 0, FEW);
  progress(`measuring ${plan.starts} starts with ${FEW} tenants`);
  const starts = [];
  for (let start = 0; start < plan.starts; start += 1) {
    const service = await startControlPlane(workspace, { SVC_STORE_URL: database });
    starts.push(service.startMs / 1000);
    await service.stop();
  }
  await cloneTenants(database, FEW, MANY);
  const binary = findProgram('haproxy');
  if (binary === undefined) {
    progress('there is no haproxy in PATH: registrations are not measured');
    return [describeStarts(starts)];
  }
  progress(`measuring ${REGISTRATIONS} registrations beside ${MANY} tenants`);
  return [describeStarts(starts), ...describeRegistrations(await measureRegistrations(workspace, database, binary))];
}

/** @param {import('../../lib/workspace.mjs').Workspace} workspace @param {string} database */
async function plantSeed(workspace, database) {
  const service = await startControlPlane(workspace, { SVC_STORE_URL: database });
  await service.post('/tenants', { tenant_id: SEED, namespace_pattern: SEED, pool: 'standard' });
  await service.stop();
}

/**
 * From the request that registers a tenant until a request through HAProxy gets to its pool.
 *
 * @param {import('../../lib/workspace.mjs').Workspace} workspace @param {string} database @param {string} binary
 */
async function measureRegistrations(workspace, database, binary) {
  const proxies = { standard: await startProxy('standard'), premium: await startProxy('premium') };
  Object.values(proxies).forEach(({ close }) => workspace.defer(close));
  const [port] = await findFreePorts(1);
  const at = (/** @type {string} */ name) => join(workspace.directory, name);
  const configuration = {
    deployment: { model: 'multi_tenant' },
    proxy_pools: { standard: { isolation_level: 'namespace' }, premium: { isolation_level: 'namespace' } },
    load_balancer: {
      type: 'haproxy',
      binary,
      config_path: at('haproxy.cfg'),
      bind: `127.0.0.1:${port}`,
      master_socket: at('master.sock'),
      runtime_socket: at('run.sock'),
    },
    service_discovery: {
      type: 'static',
      proxies: Object.entries(proxies).map(([pool, proxy]) => ({ pool, endpoint: `127.0.0.1:${proxy.port}` })),
    },
  };
  writeFileSync(at('control-plane.yaml'), JSON.stringify(configuration));
  const environment = { SVC_STORE_URL: database, SVC_CONTROL_CONFIG: at('control-plane.yaml') };
  const service = await startControlPlane(workspace, environment);
  await until(async () => existsSync(at('haproxy.cfg')));
  await runHaproxy(workspace, [binary, '-W', '-S', at('master.sock'), '-f', at('haproxy.cfg')]);
  await until(async () => (await poolOf(port, clonedName(MANY - 1))) === 'standard');
  const taken = [];
  for (let index = 0; index < REGISTRATIONS; index += 1) {
    await sleep(BETWEEN_REGISTRATIONS_MS);
    const name = `late-${index}`;
    const startedAt = performance.now();
    await service.post('/tenants', { tenant_id: name, namespace_pattern: name, pool: 'premium' });
    await until(async () => (await poolOf(port, name)) === 'premium');
    taken.push(performance.now() - startedAt);
  }
  await service.stop();
  return taken;
}

/** The pool whose proxy answers a request of this namespace; undefined when none does. @param {number} port @param {string} namespace */
async function poolOf(port, namespace) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'X-Palisade-Namespace': namespace } });
    const text = await response.text();
    return response.ok ? text : undefined;
  } catch {
    return undefined;
  }
}

/** @param {() => Promise<boolean>} condition */
async function until(condition) {
  const deadline = performance.now() + WITHIN_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) {
      throw new Error(`waited ${WITHIN_MS} ms in vain for ${condition}`);
    }
    await sleep(POLL_MS);
  }
}

/** @param {readonly number[]} seconds @returns {import('../../lib/finding.mjs').Finding} */
function describeStarts(seconds) {
  return {
    key: 'start_ready_10k_s',
    name: 'start to ready, 10,000 tenants in PostgreSQL',
    ours: `${median(seconds).toFixed(2)} s`,
    beside: `longest ${Math.max(...seconds).toFixed(2)} s`,
    value: median(seconds),
    unit: 's',
    target: { atMost: 1.5 },
  };
}

/** @param {readonly number[]} ms @returns {import('../../lib/finding.mjs').Finding[]} */
function describeRegistrations(ms) {
  const p95 = percentile(ms, 95);
  return [
    {
      key: 'register_to_routed_ms_100k',
      name: 'registration to first request routed, 100,000 tenants',
      ours: `${median(ms).toFixed(0)} ms`,
      beside: `longest ${Math.max(...ms).toFixed(0)} ms`,
      value: median(ms),
      unit: 'ms',
      target: { atMost: 250 },
    },
    {
      key: 'register_to_routed_p95_ms_100k',
      name: '- 95th percentile',
      ours: `${p95.toFixed(0)} ms`,
      beside: '',
      value: p95,
      unit: 'ms',
      target: { atMost: 250 },
    },
  ];
}
