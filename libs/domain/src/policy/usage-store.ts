import type { PoolName, ProxyId } from '../identifiers.js';
import type { ProxyHeartbeat } from './proxy-heartbeat.js';

export type ProxyUsage = NonNullable<ProxyHeartbeat['usage']>;

/** The newest report of a proxy on what namespaces use. */
export interface StoredUsage {
  readonly proxy: ProxyId;
  readonly pool: PoolName;
  /** Milliseconds since the report, by the store's clock. */
  readonly ageMs: number;
  readonly usage: ProxyUsage;
}

/**
 * What namespaces use at each proxy: the newest report only, which a store may lose when it fails. Every method throws
 * {@link StoreUnavailableError} while the store cannot be reached.
 */
export abstract class UsageStore {
  abstract put(proxy: ProxyId, pool: PoolName, usage: ProxyUsage): Promise<void>;

  /** In order of proxy, `limit` at most, after a proxy; older reports than `maxAgeMs` are left out. */
  abstract list(page: {
    readonly maxAgeMs: number;
    readonly limit: number;
    readonly after?: ProxyId;
  }): Promise<StoredUsage[]>;

  /** Removes the report of a proxy, and all older than `maxAgeMs`. */
  abstract remove(proxy: ProxyId, maxAgeMs: number): Promise<void>;
}
