/** `npm run bench -- import [--quick]`: see bench/README.md. */
import process from 'node:process';
import { openDatabaseServer } from '../scim/database.mjs';
import { progress } from '../scim/progress.mjs';
import { renderTable } from '../scim/report.mjs';
import { Workspace } from '../scim/workspace.mjs';
import { measureKills } from './measures/kills.mjs';
import { measureLargeImport } from './measures/large-import.mjs';
import { measureSinglePosts } from './measures/single-posts.mjs';
import { choosePlan } from './plan.mjs';

/**
 * What every measure works with.
 *
 * @typedef {object} Context
 * @property {import('./plan.mjs').Plan} plan
 * @property {Workspace} workspace
 * @property {import('../scim/database.mjs').DatabaseServer} databases
 */

const VALUE_DIGITS = 3;

const workspace = new Workspace();
workspace.closeOnSignals();
try {
  const findings = await measureAll(choosePlan(process.argv.slice(2)));
  const results = findings.map(({ key, value }) => [key, Number(Number(value).toFixed(VALUE_DIGITS))]);
  const json = JSON.stringify({ bench: 'import', results: Object.fromEntries(results) });
  process.stdout.write(`${renderTable(findings)}\n${json}\n`);
} finally {
  await workspace.close();
}

/** @param {import('./plan.mjs').Plan} plan */
async function measureAll(plan) {
  progress('starting PostgreSQL');
  const context = { plan, workspace, databases: await openDatabaseServer(workspace) };
  return [
    ...(await measureLargeImport(context)),
    ...(await measureSinglePosts(context)),
    ...(await measureKills(context)),
  ];
}
