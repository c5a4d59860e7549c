/** `npm run bench -- import [--quick]`: see bench/README.md. */
import process from 'node:process';
import { openDatabaseServer } from '../lib/database.mjs';
import { progress } from '../lib/progress.mjs';
import { measureKills } from './measures/kills.mjs';
import { measureLargeImport } from './measures/large-import.mjs';
import { measureSinglePosts } from './measures/single-posts.mjs';
import { runBenchmark } from '../lib/run-benchmark.mjs';
import { choosePlan } from './plan.mjs';

/**
 * What every measure works with.
 *
 * @typedef {object} Context
 * @property {import('./plan.mjs').Plan} plan
 * @property {import('../lib/workspace.mjs').Workspace} workspace
 * @property {import('../lib/database.mjs').DatabaseServer} databases
 */

await runBenchmark('import', (workspace) => measureAll(choosePlan(process.argv.slice(2)), workspace));

/** @param {import('./plan.mjs').Plan} plan @param {import('../lib/workspace.mjs').Workspace} workspace */
async function measureAll(plan, workspace) {
  progress('starting PostgreSQL');
  const context = { plan, workspace, databases: await openDatabaseServer(workspace) };
  return [
    ...(await measureLargeImport(context)),
    ...(await measureSinglePosts(context)),
    ...(await measureKills(context)),
  ];
}
