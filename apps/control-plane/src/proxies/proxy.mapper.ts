import { HttpStatus } from '@nestjs/common';
import { parsePoolName, parseProxyId, type Proxy, type ProxyDraft, type ProxyId } from '@palisade/domain';
import { Answer } from '@palisade/platform';
import { policyStateOf, revisionsBehind } from '../routing/table/governed-proxies.js';
import type {
  AdjustProxyBody,
  PoolProxyResponse,
  ProxyResponse,
  RegisteredProxyResponse,
  RegisterProxyBody,
} from './proxies.dto.js';
import type { ProxyDuties, RegisterProxyResult } from './proxies.service.js';

/** @throws {InvalidIdentifierError} */
export function toProxyDraft({ id, pool, host, port, weight, draining }: RegisterProxyBody): [ProxyId, ProxyDraft] {
  return [parseProxyId(id), { pool: parsePoolName(pool), host, port, weight, isDraining: draining }];
}

export function toAdjustment({ weight, draining }: AdjustProxyBody): Partial<ProxyDraft> {
  return { weight, isDraining: draining };
}

/** @param wanted the revision that proxies should enforce */
export function toProxyResponse(proxy: Proxy, wanted: number): ProxyResponse {
  return {
    ...toPoolProxy(proxy, wanted),
    pool: proxy.pool,
    registered_at: proxy.registeredAt.toISOString(),
    last_heartbeat_at: proxy.lastHeartbeatAt?.toISOString(),
    instance: proxy.instance,
    health_changed_at: proxy.healthChangedAt?.toISOString(),
  };
}

export function toRegisteredProxyResponse(
  { proxy, heartbeatIntervalMs, caps }: ProxyDuties,
  wanted: number,
): RegisteredProxyResponse {
  return {
    ...toProxyResponse(proxy, wanted),
    heartbeat_interval_seconds: heartbeatIntervalMs / 1000,
    caps,
  };
}

export function toRegistrationAnswer(result: RegisterProxyResult, wanted: number): Answer<RegisteredProxyResponse> {
  return new Answer(toRegisteredProxyResponse(result, wanted), {
    status: result.registered ? HttpStatus.CREATED : HttpStatus.OK,
    location: `/api/v1/proxies/${result.proxy.id}`,
  });
}

export function toPoolProxy(proxy: Proxy, wanted: number): PoolProxyResponse {
  const { id, host, port, weight, source, health, healthDetail, isDraining, version, policy } = proxy;
  return {
    id,
    host,
    port,
    weight,
    source,
    health,
    health_detail: healthDetail,
    draining: isDraining,
    version,
    policy: policy && {
      ...policy,
      state: policyStateOf(proxy, wanted),
      wanted_revision: wanted,
      behind: revisionsBehind(proxy, wanted) ?? 0,
    },
  };
}
