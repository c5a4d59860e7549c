/** `npm run bench -- scim [--quick]`: see bench/README.md. */
import { join } from 'node:path';
import process from 'node:process';
import { openDatabaseServer } from '../lib/database.mjs';
import { openField, unlessFailed } from './field.mjs';
import { LoadGenerator } from './load.mjs';
import { measureDeepPages } from './measures/deep-pages.mjs';
import { measureFilterScale } from './measures/filter-scale.mjs';
import { measureLargeGroups } from './measures/large-groups.mjs';
import { measureListGroups } from './measures/list-groups.mjs';
import { measureRequests } from './measures/requests.mjs';
import { measureSoak } from './measures/soak.mjs';
import { measureStart } from './measures/start.mjs';
import { installPeers } from '../lib/install-peers.mjs';
import { choosePlan } from './plan.mjs';
import { populateBetterAuth, populatePalisade } from './population.mjs';
import { progress } from '../lib/progress.mjs';
import { renderResults, renderTable } from '../lib/report.mjs';
import { Workspace } from '../lib/workspace.mjs';

/**
 * What every measure works with.
 *
 * @typedef {object} Context
 * @property {import('./plan.mjs').Plan} plan
 * @property {Workspace} workspace
 * @property {import('../lib/database.mjs').DatabaseServer} databases
 * @property {LoadGenerator} load
 */

const workspace = new Workspace();
workspace.closeOnSignals();
try {
  const findings = await measureAll(choosePlan(process.argv.slice(2)));
  process.stdout.write(`${renderTable(findings)}\n${renderResults(findings)}\n`);
  process.exitCode = findings.some(({ value }) => value === null) ? 1 : 0;
} finally {
  await workspace.close();
}

/** @param {import('./plan.mjs').Plan} plan */
async function measureAll(plan) {
  progress('installing the peers');
  await installPeers(join(import.meta.dirname, 'peers'));
  progress('starting PostgreSQL');
  const databases = await openDatabaseServer(workspace);
  const context = { plan, workspace, databases, load: new LoadGenerator(workspace) };
  return [
    ...(await measureSideBySide(context)),
    ...(await attempt(['filter_1m_vs_1k'], () => measureFilterScale(context))),
    ...(await measureAlone(context)),
  ];
}

/** What is measured beside peers, and what needs the same many users. @param {Context} context */
async function measureSideBySide(context) {
  const field = await openField(context);
  const { palisade, palisadeInMemory, bareExpress, scimmy, betterAuth } = field;
  const requests = await attempt(
    ['get_vs_bare_express', 'pg_get_vs_best_peer', 'pg_filter_vs_best_peer', 'pg_create_vs_best_peer'],
    () => measureRequests(context, field),
  );
  const { deepUsers } = context.plan;
  progress(`filling up Palisade and better-auth to ${deepUsers} users`);
  const [population, populatedBetterAuth] = await Promise.all([
    populatePalisade(palisade, deepUsers),
    betterAuth && unlessFailed(populateBetterAuth(betterAuth, deepUsers).then(() => betterAuth)),
  ]);
  const pages = await attempt(['pg_deep_page_vs_best_peer'], () =>
    measureDeepPages(context, { ...field, betterAuth: populatedBetterAuth }),
  );
  const groups = await attempt(
    ['member_add_p95_ms_50k', 'member_add_50k_vs_500', 'group_without_members_50k_vs_500'],
    () => measureLargeGroups(context, palisade, population),
  );
  await Promise.all(
    [palisade, palisadeInMemory, bareExpress, scimmy, betterAuth].map((entrant) => entrant?.target.stop()),
  );
  return [...requests, ...pages, ...groups];
}

/** What concerns one service only. @param {Context} context */
async function measureAlone(context) {
  const databaseUrl = await context.databases.createDatabase();
  return [
    ...(await attempt(['list_groups_statements'], () => measureListGroups(context, databaseUrl))),
    ...(await attempt(['start_to_ready_ms', 'rss_after_start_mb'], () => measureStart(context, databaseUrl))),
    ...(await attempt(['rss_growth_soak_mb'], () => measureSoak(context))),
  ];
}

/**
 * A measure that fails is reported as not measured, and the others go on.
 *
 * @param {readonly string[]} keys
 * @param {() => Promise<import('../lib/finding.mjs').Finding[]>} measure
 */
async function attempt(keys, measure) {
  try {
    return await measure();
  } catch (error) {
    progress(`could not measure ${keys.join(', ')}: ${error instanceof Error ? error.stack : error}`);
    return keys.map((key) => ({ key, name: key, ours: '', beside: '', value: null }));
  }
}
