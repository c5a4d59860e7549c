import type { PoolName, TenantId } from '@palisade/domain';
import type { Placement, TenantLike } from '../table/placement.js';
import type { Owner } from '../table/route-finder.js';
import { withoutTenant, type Route } from '../table/route.js';
import type { RoutingTable } from '../table/routing-table.js';
import { explainEntries, explainRules, explainTenant, nameOf } from './explain-stages.js';
import { explainTerms } from './explain-terms.js';
import type { Explanation, Question, Step } from './explanation.js';
import { summarize } from './summarize.js';

/**
 * Why a namespace, or the namespaces of a tenant, go where they go: everything that might have chosen the pool, in the
 * order in which it was asked, and why it did or did not. What the question says about a tenant counts instead of what is
 * registered for it. Names no tenant but the one in question.
 *
 * @param maySee whether the caller may learn which tenant has the namespace, and what that tenant says about itself
 */
export function explainRoute(
  table: RoutingTable,
  question: Question,
  maySee: (tenant: TenantId) => boolean = () => true,
): Explanation {
  const { only } = table.finder;
  if (only !== undefined) {
    const terms = explainTerms(table.configuration, only, undefined);
    return {
      route: only.tenant === undefined || maySee(only.tenant) ? only : withoutTenant(only),
      steps: [SINGLE_TENANT],
      terms,
      summary: summarize(question, { route: only, steps: [SINGLE_TENANT] }),
    };
  }
  const { namespace } = question;
  const owned = question.tenant === undefined && namespace !== undefined ? table.ownerOf(namespace) : undefined;
  const isHidden = owned?.tenant !== undefined && !maySee(owned.tenant);
  const tenant = tenantOf(table, question, owned);
  const placement = table.finder.placements.of(tenant ?? {});
  const owner = { tenant: tenant?.id, pattern: owned?.pattern, placement };
  const route = routeOf(table, owner, tenant !== undefined, namespace);
  const steps = stepsOf(table, { tenant, placement, route, question, owned, isHidden });
  const terms = route === undefined ? [] : explainTerms(table.configuration, route, tenant, isHidden);
  const pools = route === undefined ? openPools(table, owner, tenant?.id) : [];
  const summary = summarize(question, { tenant: isHidden ? undefined : owned?.tenant, route, steps, pools });
  return { ...(route !== undefined && { route: isHidden ? withoutTenant(route) : route }), steps, terms, summary };
}

const SINGLE_TENANT: Step = {
  stage: 'deployment',
  candidate: 'deployment.model',
  isChosen: true,
  reason: 'the installation serves a single tenant, which has all namespaces',
};

interface Situation {
  readonly tenant: TenantLike | undefined;
  readonly placement: Placement;
  readonly route: Route | undefined;
  readonly question: Question;
  readonly owned: Owner | undefined;
  /** Whether the tenant of the namespace is hidden from the caller. */
  readonly isHidden: boolean;
}

/** What is registered, under what the question says. */
function tenantOf(table: RoutingTable, question: Question, owned: Owner | undefined): TenantLike | undefined {
  const id = question.tenant?.id ?? owned?.tenant;
  const registered = id === undefined ? undefined : table.find(id)?.tenant;
  return question.tenant === undefined ? registered : { ...registered, ...question.tenant };
}

function routeOf(
  { finder }: RoutingTable,
  owner: Owner,
  hasTenant: boolean,
  namespace: string | undefined,
): Route | undefined {
  const { pool, chosenBy } = owner.placement;
  if (hasTenant && pool !== undefined && chosenBy !== undefined) {
    return finder.placed(owner);
  }
  if (namespace !== undefined) {
    return finder.unplaced(owner, namespace);
  }
  return finder.routes.entries.length === 0 ? finder.fallback(owner) : undefined;
}

/** Where the namespaces of a registered tenant go that has no one place. */
function openPools(table: RoutingTable, owner: Owner, id: TenantId | undefined): PoolName[] {
  const registered = id === undefined ? undefined : table.find(id)?.tenant;
  return [...table.finder.reachablePools(owner, registered?.namespacePatterns ?? [])];
}

/** Rules come before `namespace_routing` for tenants, which they are about, and behind it for namespaces without one. */
function stepsOf(table: RoutingTable, situation: Situation): Step[] {
  const { tenant, placement, route, question, owned, isHidden } = situation;
  const { rules } = table.configuration.routing;
  const isPlaced = tenant !== undefined && placement.pool !== undefined;
  const ofRules = explainRules(rules, tenant ?? {}, placement, isHidden);
  const ofEntries = entrySteps(table, question.namespace, route, isPlaced);
  const isRouted = route !== undefined && route.chosenBy !== 'default_pool';
  const ofDefault = defaultStep(table, isRouted, route);
  if (tenant === undefined) {
    return [noTenantStep(question), ...ofEntries, ...ofRules, ofDefault];
  }
  const isConfigured = placement.pool === undefined || table.configuration.pools.has(placement.pool);
  const ofTenant = explainTenant(nameOf(tenant, isHidden), placement, isConfigured);
  const reason =
    owned?.pattern === undefined || isHidden ? ofTenant.reason : `"${owned.pattern}" matches; ${ofTenant.reason}`;
  return [{ ...ofTenant, reason }, ...ofRules, ...ofEntries, ofDefault];
}

function noTenantStep({ namespace }: Question): Step {
  return {
    stage: 'tenant',
    candidate: 'registered tenants',
    isChosen: false,
    reason: `no pattern of a tenant matches "${namespace}"`,
  };
}

function entrySteps(
  { finder }: RoutingTable,
  namespace: string | undefined,
  route: Route | undefined,
  isPlaced: boolean,
): Step[] {
  const { routes } = finder;
  if (routes.entries.length === 0) {
    return [];
  }
  const untold = { stage: 'namespace_routing', candidate: 'namespace_routing', isChosen: false } as const;
  if (isPlaced) {
    return [{ ...untold, reason: 'not asked, as the tenant has its place' }];
  }
  return namespace === undefined
    ? [{ ...untold, reason: 'decides for each namespace; ask with one to see which entry has it' }]
    : explainEntries(routes, namespace, route);
}

function defaultStep({ configuration }: RoutingTable, isRouted: boolean, route: Route | undefined): Step {
  const { defaultPool } = configuration.routing;
  const isChosen = route?.chosenBy === 'default_pool';
  const reason = isRouted
    ? 'not asked, as the pool is chosen'
    : defaultPool === undefined
      ? 'there is none'
      : `"${defaultPool}" gets what nothing else has chosen a pool for`;
  return { stage: 'default_pool', candidate: 'default_pool', isChosen, reason };
}
