/** `npm run attack [-- [--short] [case …]]`: see bench/README.md. */
import process from 'node:process';
import { openDatabaseServer } from '../lib/database.mjs';
import { progress } from '../lib/progress.mjs';
import { runBenchmark } from '../lib/run-benchmark.mjs';
import { attackControlPlane } from './control-plane.mjs';
import { attackDataProxy } from './data-proxy.mjs';
import { choosePlan } from './plan.mjs';
import { attackScimService } from './scim.mjs';

/**
 * Attacks one program, on an empty database.
 *
 * @typedef {(
 *   plan: import('./plan.mjs').Plan,
 *   workspace: import('../lib/workspace.mjs').Workspace,
 *   database: string,
 * ) => Promise<import('../lib/finding.mjs').Finding[]>} Case
 */

/** @type {Readonly<Record<string, Case>>} */
const CASES = {
  scim: attackScimService,
  'control-plane': attackControlPlane,
  'data-proxy': attackDataProxy,
};

await runBenchmark('attack', async (workspace) => {
  const { plan, cases } = choosePlan(process.argv.slice(2), Object.keys(CASES));
  progress('starting PostgreSQL');
  const databases = await openDatabaseServer(workspace);
  const findings = [];
  for (const name of cases) {
    findings.push(...(await CASES[name](plan, workspace, await databases.createDatabase())));
  }
  return findings;
});
