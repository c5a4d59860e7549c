import type { NamespaceId } from '@palisade/domain';
import type { PoolCounters } from './pool-counters.js';

/** What one namespace has of a backend at one moment. */
export interface PoolSnapshot {
  /** `<backend>/<namespace>`. */
  readonly name: string;
  readonly namespace: NamespaceId;
  readonly max: number;
  readonly reserved: number;
  readonly weight: number;
  /** Leased, or being cleaned after a lease. */
  readonly active: number;
  readonly idle: number;
  readonly opening: number;
  readonly closing: number;
  readonly queued: number;
  /** Consecutive failures to connect that are the namespace's own. */
  readonly failures: number;
  readonly counters: PoolCounters;
}

export type PoolsState = 'active' | 'draining' | 'destroyed';

/** What all namespaces have of a backend at one moment. */
export interface PoolsSnapshot {
  readonly name: string;
  readonly state: PoolsState;
  /** Connections that may exist at once, those that are opening or closing included. */
  readonly maxTotal: number;
  readonly active: number;
  readonly idle: number;
  readonly opening: number;
  readonly closing: number;
  readonly queued: number;
  /** Namespaces that have a connection or wait for one. */
  readonly namespaces: number;
  /** Consecutive failures to connect; 0 while the backend is healthy. */
  readonly failures: number;
  readonly counters: PoolCounters;
}
