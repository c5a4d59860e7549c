import {
  BACKEND_KINDS,
  parseBytes,
  parseCores,
  parseNamespaceId,
  parsePoolName,
  parseTenantId,
  type BackendPoolSettings,
  type ConnectionPools,
  type NamespaceId,
  type NamespaceResources,
} from '@palisade/domain';
import { InvalidRequestError } from '@palisade/platform';
import { writeResources } from '../config/resource-limits.js';
import type { BackendPoolBody, ConnectionPoolsBody } from './connection-pools.dto.js';
import type { Explanation, Question } from './explain/explanation.js';
import type { ExplainBody, ExplainResponse, ResolveResponse, RouteResponse } from './routing.dto.js';
import type { ResourceLimitsBody } from './resource-limits.dto.js';
import type { TenantLike } from './table/placement.js';
import { pathOfEntry, pathOfRule, type Route } from './table/route.js';

/** @throws {InvalidRequestError} {@link InvalidIdentifierError} */
export function toQuestion(body: ExplainBody): Question {
  const tenant = toTenantLike(body);
  if (body.namespace === undefined && tenant === undefined) {
    throw new InvalidRequestError('namespace', 'a namespace, or something about a tenant');
  }
  return {
    ...(body.namespace !== undefined && { namespace: parseNamespaceId(body.namespace) }),
    ...(tenant !== undefined && { tenant }),
  };
}

export function toResolveResponse(namespace: NamespaceId, route: Route): ResolveResponse {
  return { namespace, ...toRouteResponse(route) };
}

export function toExplainResponse({ summary, route, steps, terms }: Explanation): ExplainResponse {
  return {
    summary,
    route: route && toRouteResponse(route),
    steps: steps.map(({ isChosen, ...step }) => ({ ...step, chosen: isChosen })),
    terms,
  };
}

function toTenantLike(body: ExplainBody): TenantLike | undefined {
  const { tenant_id: id, tier, annual_revenue: annualRevenue, pool, isolation_level: isolationLevel } = body;
  const tenant = {
    ...(id !== undefined && { id: parseTenantId(id) }),
    ...(tier !== undefined && { tier }),
    ...(annualRevenue !== undefined && { annualRevenue }),
    ...(pool !== undefined && { pool: parsePoolName(pool) }),
    ...(isolationLevel !== undefined && { isolationLevel }),
  };
  return Object.keys(tenant).length === 0 ? undefined : tenant;
}

export function toRouteResponse({
  tenant,
  pool,
  deployment,
  isolationLevel,
  connectionPools,
  resourceLimits,
  ...match
}: Route): RouteResponse {
  const { chosenBy, pattern, rule, entry } = match;
  return {
    tenant_id: tenant,
    deployment,
    pool,
    isolation_level: isolationLevel,
    connection_pools: toConnectionPoolsBody(connectionPools),
    resource_limits: writeResources(resourceLimits),
    matched: {
      by: chosenBy,
      pattern,
      rule: rule === undefined ? undefined : pathOfRule(rule),
      entry: entry === undefined ? undefined : pathOfEntry(entry),
    },
  };
}

/** @throws {InvalidRequestError} when a namespace would get more connections than there are */
export function toConnectionPools(body: ConnectionPoolsBody): ConnectionPools {
  return Object.fromEntries(
    BACKEND_KINDS.flatMap((backend) => {
      const pool = body[backend];
      return pool === undefined ? [] : [[backend, toBackendPool(pool, `connection_pools.${backend}`)]];
    }),
  );
}

export function toConnectionPoolsBody(pools: ConnectionPools): ConnectionPoolsBody {
  return Object.fromEntries(
    BACKEND_KINDS.flatMap((backend) => {
      const pool = pools[backend];
      return pool === undefined ? [] : [[backend, toBackendPoolBody(pool)]];
    }),
  );
}

export function toResourceLimits({ cpu, memory, max_rps: maxRps }: ResourceLimitsBody): NamespaceResources {
  const limits = { maxRps, cores: parseCores(cpu), bytes: parseBytes(memory) };
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

function toBackendPool(body: BackendPoolBody, path: string): BackendPoolSettings {
  const settings = {
    connectionsPerNamespace: body.connections_per_namespace,
    maxTotalConnections: body.max_total_connections,
    maxConnections: body.max_connections,
    perSessionLimit: body.per_session_limit,
  };
  requireWithin(`${path}.connections_per_namespace`, settings.connectionsPerNamespace, settings.maxTotalConnections);
  requireWithin(`${path}.per_session_limit`, settings.perSessionLimit, settings.maxConnections);
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function requireWithin(field: string, part: number | undefined, all: number | undefined): void {
  if (part !== undefined && all !== undefined && part > all) {
    throw new InvalidRequestError(field, `at most ${all}, as many as there are in all`);
  }
}

function toBackendPoolBody(settings: BackendPoolSettings): BackendPoolBody {
  return {
    connections_per_namespace: settings.connectionsPerNamespace,
    max_total_connections: settings.maxTotalConnections,
    max_connections: settings.maxConnections,
    per_session_limit: settings.perSessionLimit,
  };
}
