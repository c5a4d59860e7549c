import { isObject, type BackendKind, type NamespaceId, type PoolName, type TenantId } from '@palisade/domain';
import type { PoolDefinition } from '../config/control-plane-settings.js';
import type { Route } from '../routing/table/route.js';
import { UsageSum } from './usage-sum.js';

/** What the namespaces of a tenant use at all proxies, and what they may use together at the proxies that report them. */
export interface TenantUse {
  readonly tenant: TenantId;
  readonly sum: UsageSum;
  /** Connections by backend; a backend without a limit that is known is absent. */
  readonly limits: ReadonlyMap<string, number>;
  /** Undefined when the configuration does not say it. */
  readonly maxSessions: number | undefined;
  /** Undefined when some have no limit. */
  readonly maxRps: number | undefined;
}

/** What proxies of one pool report of one namespace. */
export interface ReportedNamespace {
  readonly namespace: NamespaceId;
  readonly pool: PoolName;
  readonly sum: UsageSum;
}

interface Place {
  readonly route: Route | undefined;
  /** Caps of the pool's backends. */
  readonly caps: ReadonlyMap<string, number>;
  readonly pool: PoolDefinition | undefined;
}

/** Adds up what namespaces use by the tenants that they belong to. */
export function tenantUses(
  reported: Iterable<ReportedNamespace>,
  placeOf: (namespace: NamespaceId, pool: PoolName) => Place,
): ReadonlyMap<TenantId, TenantUse> {
  const uses = new Map<TenantId, GrowingUse>();
  for (const { namespace, pool, sum } of reported) {
    const place = placeOf(namespace, pool);
    const tenant = place.route?.tenant;
    if (tenant !== undefined && place.route !== undefined) {
      const use = uses.get(tenant) ?? new GrowingUse(tenant);
      uses.set(tenant, use);
      use.add(sum, pool, place.route, place);
    }
  }
  return uses;
}

class GrowingUse implements TenantUse {
  readonly sum = new UsageSum();
  maxSessions: number | undefined = 0;
  maxRps: number | undefined = 0;
  /** By pool and backend: what the limits of namespaces come to, and the cap that is for all of them. */
  readonly #limits = new Map<string, { readonly backend: string; readonly cap: number | undefined; limit: number }>();

  constructor(readonly tenant: TenantId) {}

  add(sum: UsageSum, poolName: PoolName, { connectionPools, resourceLimits }: Route, { caps, pool }: Place): void {
    this.sum.addSum(sum);
    this.maxRps = plus(this.maxRps, resourceLimits.maxRps, sum.proxies);
    this.maxSessions = plus(this.maxSessions, pool && sessionsOf(pool), sum.proxies);
    for (const backend of sum.connections.keys()) {
      const cap = caps.get(backend);
      const own = connectionPools[backend as BackendKind]?.connectionsPerNamespace ?? cap ?? Infinity;
      const key = `${poolName}/${backend}`;
      const known = this.#limits.get(key) ?? { backend, cap, limit: 0 };
      known.limit += own * sum.proxies;
      this.#limits.set(key, known);
    }
  }

  get limits(): ReadonlyMap<string, number> {
    const limits = new Map<string, number>();
    for (const { backend, cap = Infinity, limit } of this.#limits.values()) {
      limits.set(backend, (limits.get(backend) ?? 0) + Math.min(cap, limit));
    }
    return new Map([...limits].filter(([, limit]) => Number.isFinite(limit)));
  }
}

function plus(sum: number | undefined, limit: number | undefined, proxies: number): number | undefined {
  return sum === undefined || limit === undefined ? undefined : sum + limit * proxies;
}

/** Sessions of one namespace at one proxy. */
function sessionsOf({ isolationSettings }: PoolDefinition): number | undefined {
  const sessions = isolationSettings?.['session_management'];
  const max = isObject(sessions) ? (sessions['max_sessions_per_namespace'] ?? sessions['max_sessions']) : undefined;
  return typeof max === 'number' ? max : undefined;
}
