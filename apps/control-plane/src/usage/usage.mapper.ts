import { parseNamespaceId, parsePoolName, parseTenantId, type BackendKind } from '@palisade/domain';
import type { Route } from '../routing/table/route.js';
import type {
  CapUsageResponse,
  TenantUsageResponse,
  UsageAmounts,
  UsageParameters,
  UsageResponse,
} from './usage.dto.js';
import type { TenantUse } from './tenant-use.js';
import type { CapUse, Usage, UsageQuestion } from './usage.service.js';
import type { UsageSum } from './usage-sum.js';

/** @throws {InvalidIdentifierError} */
export function toUsageQuestion({ tenant, namespace, pool }: UsageParameters): UsageQuestion {
  return {
    tenant: tenant === undefined ? undefined : parseTenantId(tenant),
    namespace: namespace === undefined ? undefined : parseNamespaceId(namespace),
    pool: pool === undefined ? undefined : parsePoolName(pool),
  };
}

export function toUsageResponse({ total, namespaces, unnamed, caps }: Usage, limit: number): UsageResponse {
  return {
    ...toAmounts(total),
    namespaces: namespaces.slice(0, limit).map(({ namespace, route, sum }) => ({
      namespace,
      tenant_id: route?.tenant,
      ...toAmounts(sum, route),
    })),
    more_namespaces: Math.max(0, namespaces.length - limit),
    unnamed: unnamed === undefined ? [] : [{ namespaces: unnamed.namespaces, ...toAmounts(unnamed.sum) }],
    caps: caps.map(toCapUsage),
  };
}

export function toCapUsage({ withoutPart, ...use }: CapUse): CapUsageResponse {
  return { ...use, proxies_without_part: withoutPart };
}

export function toTenantUsage({ sum, limits, maxSessions, maxRps }: TenantUse): TenantUsageResponse {
  return { ...amountsWithin(sum, (backend) => limits.get(backend)), max_sessions: maxSessions, max_rps: maxRps };
}

export function toAmounts(sum: UsageSum, route?: Route): UsageAmounts {
  return amountsWithin(sum, (backend) => route?.connectionPools[backend as BackendKind]?.connectionsPerNamespace);
}

function amountsWithin(sum: UsageSum, limitOf: (backend: string) => number | undefined): UsageAmounts {
  return {
    proxies: sum.proxies,
    sessions: sum.sessions,
    connections: Object.fromEntries(
      [...sum.connections].map(([backend, connections]) => [backend, { ...connections, limit: limitOf(backend) }]),
    ),
    requests: sum.requests,
    requests_per_second: sum.requestsPerSecond,
    errors: sum.errors,
    rejected: Object.fromEntries(sum.rejected),
    p50_ms: sum.p50Ms,
    p99_ms: sum.p99Ms,
    cpu_seconds: sum.cpuSeconds,
    memory_bytes: sum.memoryBytes,
  };
}
