import type { BackendPoolSettings, NamespaceResources } from '@palisade/domain';
import { writeResources } from '../../config/resource-limits.js';
import type { RoutingConfiguration } from '../table/route-finder.js';
import { settleConnectionSettings } from '../table/connection-settings.js';
import type { TenantLike } from '../table/placement.js';
import { pathOfEntry, pathOfRule, type Route } from '../table/route.js';
import { nameOf } from './explain-stages.js';
import type { ExplainedTerm } from './explanation.js';

const KEYS: Readonly<Record<keyof BackendPoolSettings, string>> = {
  connectionsPerNamespace: 'connections_per_namespace',
  maxTotalConnections: 'max_total_connections',
  maxConnections: 'max_connections',
  perSessionLimit: 'per_session_limit',
};

/** Each term of a route with what it comes from. */
export function explainTerms(
  configuration: RoutingConfiguration,
  route: Route,
  tenant: TenantLike | undefined,
  isHidden = false,
): ExplainedTerm[] {
  const rule = route.rule === undefined ? undefined : configuration.routing.rules[route.rule];
  const ofRule = route.rule === undefined ? undefined : pathOfRule(route.rule);
  const ofTenant = tenant && nameOf(tenant, isHidden);
  const { connectionPools, resourceLimits } = configuration.isolation;
  const layers = [
    { from: 'connection_pools', pools: connectionPools },
    { from: ofRule ?? '', pools: rule?.action.connectionPools },
    { from: ofTenant ?? '', pools: tenant?.connectionPools },
  ];
  const isRulePromise = ofRule !== undefined && rule?.action.deployment === route.deployment;
  return [
    { name: 'deployment', value: route.deployment, from: isRulePromise ? ofRule : 'deployment.model' },
    { name: 'pool', value: route.pool, from: sourceOfPool(route, ofTenant) },
    { name: 'isolation_level', value: route.isolationLevel, from: sourceOfLevel() },
    ...settleConnectionSettings(layers).map(({ backend, key, value, from }) => ({
      name: `connection_pools.${backend}.${KEYS[key]}`,
      value,
      from,
    })),
    ...explainLimits([
      ['resource_limits', resourceLimits],
      [ofRule ?? '', rule?.action.resourceLimits],
      [ofTenant ?? '', tenant?.resourceLimits],
    ]),
  ];

  function sourceOfLevel(): string {
    if (ofTenant !== undefined && tenant?.isolationLevel !== undefined) {
      return ofTenant;
    }
    if (ofRule !== undefined && rule?.action.isolationLevel !== undefined) {
      return ofRule;
    }
    return configuration.pools.has(route.pool) ? `proxy_pools.${route.pool}` : 'the strictest, as the pool is unknown';
  }
}

/** What each namespace may use of one proxy: of two layers that say it, the later wins. */
function explainLimits(
  layers: readonly (readonly [from: string, limits: NamespaceResources | undefined])[],
): ExplainedTerm[] {
  const terms = layers.flatMap(([from, limits = {}]) =>
    Object.entries(writeResources(limits)).map(([key, value]) => [key, { value, from }] as const),
  );
  return [...new Map(terms)].map(([key, term]) => ({ name: `resource_limits.per_namespace.${key}`, ...term }));
}

function sourceOfPool({ chosenBy, rule = 0, entry = 0 }: Route, tenant: string | undefined): string {
  switch (chosenBy) {
    case 'deployment':
      return 'deployment.model';
    case 'tenant':
      return tenant ?? 'the tenant';
    case 'rule':
      return pathOfRule(rule);
    case 'namespace_routing':
      return pathOfEntry(entry);
    case 'default_pool':
      return 'default_pool';
  }
}
