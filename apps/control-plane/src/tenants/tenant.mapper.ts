import {
  parseNamespacePattern,
  parsePoolName,
  parseTenantId,
  type NamespacePattern,
  type Proxy,
  type TenantDraft,
  type TenantId,
} from '@palisade/domain';
import { HttpStatus } from '@nestjs/common';
import { Answer, InvalidRequestError, decodeCursor, toPage } from '@palisade/platform';
import type { HealthyProxyResponse } from '../proxies/proxies.dto.js';
import { writeResources } from '../config/resource-limits.js';
import { toConnectionPools, toConnectionPoolsBody, toResourceLimits } from '../routing/routing.mapper.js';
import { pathOfRule } from '../routing/table/route.js';
import type { TenantSearch } from '../routing/table/tenant-directory.js';
import { toTenantUsage } from '../usage/usage.mapper.js';
import { tenantEtag } from './tenant-versions.js';
import type { Registration, TenantView } from './tenants.service.js';
import type {
  DrainingResponse,
  ListTenantsParameters,
  RegisterTenantBody,
  ReplaceTenantBody,
  TenantBody,
  TenantPage,
  TenantResponse,
  TenantRoutingResponse,
} from './tenants.dto.js';

/** @throws {InvalidRequestError} {@link InvalidIdentifierError} */
export function toTenantDraft(body: TenantBody): TenantDraft {
  const { pool, isolation_level: isolationLevel, tier, annual_revenue: annualRevenue } = body;
  const { connection_pools: pools, resource_limits: limits } = body;
  return {
    namespacePatterns: readPatterns(body),
    ...(pool !== undefined && { pool: parsePoolName(pool) }),
    ...(isolationLevel !== undefined && { isolationLevel }),
    ...(tier !== undefined && { tier }),
    ...(annualRevenue !== undefined && { annualRevenue }),
    ...(pools !== undefined && { connectionPools: toConnectionPools(pools) }),
    ...(limits !== undefined && { resourceLimits: toResourceLimits(limits) }),
  };
}

/** @throws {InvalidRequestError} {@link InvalidIdentifierError} */
export function toRegistration(body: RegisterTenantBody): [TenantId, TenantDraft] {
  return [parseTenantId(body.tenant_id), toTenantDraft(body)];
}

/** @throws {InvalidRequestError} {@link InvalidIdentifierError} */
export function toReplacement(id: TenantId, body: ReplaceTenantBody): TenantDraft {
  if (body.tenant_id !== undefined && body.tenant_id !== id) {
    throw new InvalidRequestError('tenant_id', `"${id}", as in the path`);
  }
  return toTenantDraft(body);
}

/** @throws {InvalidRequestError} {@link InvalidIdentifierError} */
export function toTenantSearch({ pool, cursor, limit }: ListTenantsParameters): TenantSearch {
  const [after] = decodeCursor(cursor, 1);
  return {
    limit,
    ...(pool !== undefined && { pool: parsePoolName(pool) }),
    ...(after !== undefined && { after: parseTenantId(after) }),
  };
}

export function toTenantPage(views: readonly TenantView[], limit: number): TenantPage {
  return toPage(
    views,
    limit,
    ({ id }) => [id],
    (view) => toTenantResponse(view),
  );
}

/** With the ETag to change the tenant with. */
export function toTenantAnswer(view: TenantView): Answer<TenantResponse> {
  const body = toTenantResponse(view);
  return new Answer(body, { etag: tenantEtag(body) });
}

export function toRegistrationAnswer({ isNew, view }: Registration): Answer<TenantResponse> {
  const { body, head } = toTenantAnswer(view);
  const status = isNew ? HttpStatus.CREATED : HttpStatus.OK;
  return new Answer(body, { ...head, status, location: `/api/v1/tenants/${view.id}` });
}

/** @param now until when a pool drains is of interest only before */
function toTenantResponse(view: TenantView, now: Date = new Date()): TenantResponse {
  const { id, namespacePatterns, registered } = view;
  return {
    tenant_id: id,
    namespace_patterns: namespacePatterns,
    pool: registered?.pool,
    isolation_level: registered?.isolationLevel,
    tier: registered?.tier,
    annual_revenue: registered?.annualRevenue,
    connection_pools: registered?.connectionPools && toConnectionPoolsBody(registered.connectionPools),
    resource_limits: registered?.resourceLimits && writeResources(registered.resourceLimits),
    routing: toRoutingResponse(view),
    settings: view.settings,
    usage: view.use && toTenantUsage(view.use),
    draining: toDrainingResponse(registered?.draining, now),
    source: registered?.source ?? 'configuration',
    version: registered?.version,
    created_at: registered?.createdAt.toISOString(),
    modified_at: registered?.modifiedAt.toISOString(),
  };
}

function toRoutingResponse({ routing, healthyProxies }: TenantView): TenantRoutingResponse {
  const { model, deployment, pools, isolationLevel, connectionPools, resourceLimits, chosenBy, rule } = routing;
  const [pool, ...others] = pools;
  return {
    tenancy_model: model,
    deployment,
    pool: others.length === 0 ? pool : undefined,
    pools,
    isolation_level: isolationLevel,
    connection_pools: toConnectionPoolsBody(connectionPools),
    resource_limits: writeResources(resourceLimits),
    matched: { by: chosenBy, rule: rule === undefined ? undefined : pathOfRule(rule) },
    healthy_proxies: healthyProxies?.map(toHealthyProxy),
  };
}

export function toHealthyProxy({ id, pool, host, port }: Proxy): HealthyProxyResponse {
  return { id, pool, host, port };
}

function toDrainingResponse(
  draining: { readonly pool: string; readonly until: Date } | undefined,
  now: Date,
): DrainingResponse | undefined {
  return draining && draining.until > now ? { pool: draining.pool, until: draining.until.toISOString() } : undefined;
}

function readPatterns({ namespace_pattern: one, namespace_patterns: several }: TenantBody): NamespacePattern[] {
  if ((one === undefined) === (several === undefined)) {
    throw new InvalidRequestError('namespace_pattern', 'exactly one of namespace_pattern and namespace_patterns');
  }
  const patterns = (several ?? [one ?? '']).map(parseNamespacePattern);
  return [...new Set(patterns)].sort();
}
