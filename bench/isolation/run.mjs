/** `npm run bench -- isolation [--quick]`: see docs/isolation.md. */
import { join } from 'node:path';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import './typescript-hooks.mjs';
import { openDatabaseServer } from '../lib/database.mjs';
import { progress } from '../lib/progress.mjs';
import { measureCycles } from './measures/cycles.mjs';
import { measureDataProxy } from './measures/data-proxy.mjs';
import { measureFrontDoor } from './measures/front-door.mjs';
import { measureManyNamespaces } from './measures/many-namespaces.mjs';
import { measureNeighbours } from './measures/neighbours.mjs';
import { measureNoisyProvider } from './measures/noisy-provider.mjs';
import { measureReaper } from './measures/reaper.mjs';
import { measureSessions } from './measures/sessions.mjs';
import { installPeers } from '../lib/install-peers.mjs';
import { runBenchmark } from '../lib/run-benchmark.mjs';
import { choosePlan } from './plan.mjs';

/**
 * What every measure works with.
 *
 * @typedef {object} Context
 * @property {import('./plan.mjs').Plan} plan
 * @property {import('../lib/workspace.mjs').Workspace} workspace
 * @property {import('../lib/database.mjs').DatabaseServer} databases
 * @property {string} databaseUrl of an empty PostgreSQL database
 * @property {any} peers
 * @property {any} Isolation
 * @property {any} IsolationModule
 * @property {any} IsolationPools
 * @property {any} NamespacePools
 * @property {any} SessionManager
 * @property {any} PostgresDriver
 * @property {any} SYSTEM_CLOCK
 */

await runBenchmark('isolation', (workspace) => measureAll(choosePlan(process.argv.slice(2)), workspace));

/** @param {import('./plan.mjs').Plan} plan @param {import('../lib/workspace.mjs').Workspace} workspace */
async function measureAll(plan, workspace) {
  exposeGarbageCollector();
  progress('installing the peers');
  const require = await installPeers(join(import.meta.dirname, 'peers'));
  const peers = { PgPool: require('pg-pool'), genericPool: require('generic-pool'), tarn: require('tarn') };
  progress('starting PostgreSQL');
  const databases = await openDatabaseServer(workspace);
  const databaseUrl = await databases.createDatabase();
  const isolation = await import('../../libs/isolation/src/index.ts');
  const context = { plan, workspace, databases, databaseUrl, peers, ...isolation };
  return [
    ...(await measureCycles(context)),
    ...(await measureFrontDoor(context)),
    ...(await measureManyNamespaces(context)),
    ...(await measureReaper(context)),
    ...(await measureNeighbours(context)),
    ...(await measureDataProxy(context)),
    ...(await measureSessions(context)),
    ...(await measureNoisyProvider(context)),
  ];
}

/** Memory is compared after everything that is not in use has been collected. */
function exposeGarbageCollector() {
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc');
}
