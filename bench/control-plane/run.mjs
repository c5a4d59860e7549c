/** `npm run bench -- control-plane [--quick]`: see bench/README.md. */
import process from 'node:process';
import { progress } from '../scim/progress.mjs';
import { renderTable } from '../scim/report.mjs';
import { Workspace } from '../scim/workspace.mjs';
import { measureLoadBalancer } from './measures/load-balancer.mjs';
import { measureResolve } from './measures/resolve.mjs';
import { measureService } from './measures/service.mjs';
import { installPeers } from './peers.mjs';
import { choosePlan } from './plan.mjs';

/**
 * What every measure works with.
 *
 * @typedef {object} Context
 * @property {import('./plan.mjs').Plan} plan
 * @property {import('./peers.mjs').Peers} peers
 * @property {Workspace} workspace
 */

const VALUE_DIGITS = 3;

const workspace = new Workspace();
workspace.closeOnSignals();
try {
  const findings = await measureAll(choosePlan(process.argv.slice(2)));
  const results = findings.map(({ key, value }) => [key, Number(value.toFixed(VALUE_DIGITS))]);
  const json = JSON.stringify({ bench: 'control-plane', results: Object.fromEntries(results) });
  process.stdout.write(`${renderTable(findings)}\n${json}\n`);
} finally {
  await workspace.close();
}

/** @param {import('./plan.mjs').Plan} plan */
async function measureAll(plan) {
  progress('installing the peers');
  const context = { plan, peers: await installPeers(), workspace };
  return [
    ...(await measureResolve(context)),
    ...(await measureLoadBalancer(context)),
    ...(await measureService(context)),
  ];
}
