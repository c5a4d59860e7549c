/** `npm run bench -- control-plane [--quick]`: see bench/README.md. */
import { join } from 'node:path';
import process from 'node:process';
import { progress } from '../lib/progress.mjs';
import { measureLoadBalancer } from './measures/load-balancer.mjs';
import { measureResolve } from './measures/resolve.mjs';
import { measureService } from './measures/service.mjs';
import { installPeers } from '../lib/install-peers.mjs';
import { runBenchmark } from '../lib/run-benchmark.mjs';
import { choosePlan } from './plan.mjs';

/**
 * What every measure works with.
 *
 * @typedef {object} Context
 * @property {import('./plan.mjs').Plan} plan
 * @property {{ picomatch: (pattern: string) => (text: string) => boolean }} peers
 * @property {import('../lib/workspace.mjs').Workspace} workspace
 */

await runBenchmark('control-plane', (workspace) => measureAll(choosePlan(process.argv.slice(2)), workspace));

/** @param {import('./plan.mjs').Plan} plan @param {import('../lib/workspace.mjs').Workspace} workspace */
async function measureAll(plan, workspace) {
  progress('installing the peers');
  const require = await installPeers(join(import.meta.dirname, 'peers'));
  const context = { plan, peers: { picomatch: require('picomatch') }, workspace };
  return [
    ...(await measureResolve(context)),
    ...(await measureLoadBalancer(context)),
    ...(await measureService(context)),
  ];
}
