import type { NamespaceId, TenantId } from '@palisade/domain';
import type { ReportedNamespace } from './tenant-use.js';

export interface CountedRequests {
  readonly requests: number;
  readonly errors: number;
}

const NOTHING: CountedRequests = { requests: 0, errors: 0 };

/**
 * Counts the requests of tenants from one report of all proxies to the next. The counters of proxies begin again when those
 * start again, and a namespace that is no longer among the busiest is not named: neither may look like many requests at once.
 */
export class RequestCounters {
  private before = new Map<string, CountedRequests & { readonly proxies: number }>();
  private counts = new Map<TenantId, CountedRequests>();

  of(tenant: TenantId): CountedRequests {
    return this.counts.get(tenant) ?? NOTHING;
  }

  /** Forgets tenants of which nothing is reported any more; their counters begin again. */
  take(reported: readonly ReportedNamespace[], tenantOf: (namespace: NamespaceId) => TenantId | undefined): void {
    const now: typeof this.before = new Map();
    const counts: typeof this.counts = new Map();
    for (const { namespace, pool, sum } of reported) {
      const key = `${pool}/${namespace}`;
      const { requests, errors, proxies } = sum;
      const before = this.before.get(key);
      now.set(key, { requests, errors, proxies });
      const tenant = tenantOf(namespace);
      if (tenant !== undefined) {
        const count = counts.get(tenant) ?? this.of(tenant);
        const isComparable = before?.proxies === proxies && requests >= before.requests && errors >= before.errors;
        counts.set(tenant, {
          requests: count.requests + (isComparable ? requests - before.requests : 0),
          errors: count.errors + (isComparable ? errors - before.errors : 0),
        });
      }
    }
    this.before = now;
    this.counts = counts;
  }
}
