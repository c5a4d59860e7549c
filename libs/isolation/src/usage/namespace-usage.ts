import type { NamespaceId } from '@palisade/domain';
import type { PoolsSnapshot } from '../pools/pool-snapshot.js';
import type { SessionsSnapshot } from '../sessions/session-journal.js';
import type { UsageTotals } from './usage-counters.js';

/** Connections to one backend at one moment. */
export interface BackendUsage {
  readonly backend: string;
  /** Connections that somebody uses. */
  readonly active: number;
  readonly idle: number;
  readonly max: number;
  /** Pieces of work that wait for one. */
  readonly queued: number;
}

/** Connections at one moment: those of one namespace, and those of all. */
export interface ConnectionsView {
  of(namespace: NamespaceId): BackendUsage[];
  readonly all: readonly BackendUsage[];
}

/** What all namespaces have together at one moment, with totals of what has happened. */
export interface ConnectionsSnapshot {
  /** One for each backend. */
  readonly pools: readonly PoolsSnapshot[];
  readonly sessions: SessionsSnapshot;
}

/** Tells which connections there are, by whatever isolation level. */
export interface ConnectionUsage {
  view(): ConnectionsView;
  snapshot(): ConnectionsSnapshot;
}

/** What one namespace takes, at one moment and since its usage is kept. */
export interface NamespaceUsage extends UsageTotals {
  readonly namespace: NamespaceId;
  /** One entry for each backend to which it has connections, or for which its work waits. */
  readonly connections: readonly BackendUsage[];
  /** That ended, over the last ten to twenty seconds. */
  readonly requestsPerSecond: number;
  readonly queued: number;
  /** Of those that ended within the last half to whole minute, to within 41 %; undefined when there were none. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** Memory that the process holds for it, as far as it is counted. */
  readonly bytesHeld: number;
  readonly alerts: readonly UsageAlert[];
}

/**
 * - `connections`: more than 90 % of the connections are in use; `value` is the share.
 * - `error_rate`: more than 5 % of the requests of about the last minute failed; `value` is the share.
 * - `latency`: more than 1 % of them took longer than a second, so the 99th percentile is above that; `value` is the share.
 */
export interface UsageAlert {
  readonly kind: 'connections' | 'error_rate' | 'latency';
  readonly severity: 'warning' | 'critical';
  /** Absent when it concerns what all namespaces share. */
  readonly namespace?: NamespaceId;
  /** With `connections` only. */
  readonly backend?: string;
  readonly value: number;
  readonly threshold: number;
}

export interface UsageSnapshot {
  readonly at: Date;
  /** Totals of all namespaces, forgotten ones included. */
  readonly totals: UsageTotals;
  /** CPU time that is no namespace's: the event loop, what comes before a namespace is known. */
  readonly otherCpuSeconds: number;
  /** The busiest first, and no more than were asked for. */
  readonly namespaces: readonly NamespaceUsage[];
  /** Namespaces whose usage is kept. */
  readonly knownNamespaces: number;
  /** What all namespaces have together. */
  readonly backends: readonly BackendUsage[];
  /** Alerts of every namespace, those that `namespaces` leaves out included. */
  readonly alerts: readonly UsageAlert[];
}
