import type { CapDemand } from './cap-parts.js';

/** What a proxy says of the policy that it was sent. */
export interface PolicyReport {
  /** The revision in force; absent while there is none. */
  readonly revision?: number;
  /** Where the policy in force came from. */
  readonly source: 'stream' | 'disk' | 'none';
  /** How long ago the control plane was last heard of, in seconds. */
  readonly age_seconds: number;
  /** The revision that could not be applied, and why. */
  readonly rejected?: { readonly revision: number; readonly reason: string };
}

/** What one namespace has at a proxy. Counters count from the start of the proxy's process. */
export interface NamespaceUsageReport {
  readonly namespace: string;
  readonly sessions: number;
  readonly connections: Readonly<
    Record<string, { readonly in_use: number; readonly idle: number; readonly waiting: number }>
  >;
  readonly requests: number;
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
export interface ProxyHeartbeat {
  /** Differs for each process, so that one that comes back late is told from the one that took its place. */
  readonly instance?: string;
  /** Of the isolation library. */
  readonly version?: string;
  readonly policy?: PolicyReport;
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
