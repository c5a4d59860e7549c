import type { ProxyReport } from '../tenancy/proxies.js';
import type { CapDemand } from './cap-parts.js';

/** What one namespace has at a proxy. Counters count from the start of the proxy's process. */
export interface NamespaceUsageReport {
  readonly namespace: string;
  readonly sessions: number;
  readonly connections: Readonly<
    Record<string, { readonly in_use: number; readonly idle: number; readonly waiting: number }>
  >;
  readonly requests: number;
  /** Lately; absent when it is not measured. */
  readonly requests_per_second?: number;
  readonly errors: number;
  /** Requests that were not begun, by code of the reason. */
  readonly rejected: Readonly<Record<string, number>>;
  readonly p50_ms?: number;
  readonly p99_ms?: number;
  /** Seconds of CPU time; absent when it is not measured. */
  readonly cpu_seconds?: number;
  readonly memory_bytes?: number;
}

/** A heartbeat of `POST /api/v1/proxies/{id}/heartbeat`; every part is optional, so that a proxy may be a simple one. */
export interface ProxyHeartbeat extends ProxyReport {
  /** By backend. */
  readonly caps?: Readonly<Record<string, CapDemand>>;
  readonly usage?: {
    /** The busiest namespaces; at most {@link MAX_REPORTED_NAMESPACES}. */
    readonly namespaces: readonly NamespaceUsageReport[];
    /** The sum of all others. */
    readonly rest?: Omit<NamespaceUsageReport, 'namespace'> & { readonly namespaces: number };
  };
}

export const MAX_REPORTED_NAMESPACES = 1000;
