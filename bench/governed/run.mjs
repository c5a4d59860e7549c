/** `npm run bench -- governed [--quick]`: see bench/README.md. */
import process from 'node:process';
import { runBenchmark } from '../lib/run-benchmark.mjs';
import { measureMoves } from './measures/moves.mjs';
import { measureCaps } from './measures/caps.mjs';
import { measurePolicy } from './measures/policy.mjs';
import { measureRevocation } from './measures/revocation.mjs';
import { choosePlan } from './plan.mjs';
import { openSite } from './site.mjs';

/**
 * What every measure works with.
 *
 * @typedef {object} Context
 * @property {import('./plan.mjs').Plan} plan
 * @property {import('../lib/workspace.mjs').Workspace} workspace
 * @property {import('./site.mjs').Site} site
 */

await runBenchmark('governed', (workspace) => measureAll(choosePlan(process.argv.slice(2)), workspace));

/** @param {import('./plan.mjs').Plan} plan @param {import('../lib/workspace.mjs').Workspace} workspace */
async function measureAll(plan, workspace) {
  const context = { plan, workspace, site: await openSite(workspace, plan) };
  return [
    ...(await measurePolicy(context)),
    ...(await measureRevocation(context)),
    ...(await measureMoves(context)),
    ...(await measureCaps(context)),
  ];
}
