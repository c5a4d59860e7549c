import type { PoolName, ProxyId } from '../identifiers.js';
import type { CapLedger, CapReport } from './cap-ledger.js';
import type { CapPart } from './cap-parts.js';

/** What a proxy says of one backend, with the cap that the backend has. */
export interface BackendReport extends CapReport {
  readonly backend: string;
}

export interface StoredCapLedger {
  readonly pool: PoolName;
  readonly backend: string;
  readonly ledger: CapLedger;
}

/**
 * How the caps of backends are divided among the proxies of each pool; by the store's clock, as replicas' clocks may be
 * wrong. Every method throws {@link StoreUnavailableError} while the store cannot be reached.
 */
export abstract class CapStore {
  /**
   * Divides the caps again after each of the reports, in their order, and answers each with its part. All take effect, or none
   * when it throws. Of one backend, one caller is served at a time.
   */
  abstract report(pool: PoolName, reports: readonly BackendReport[]): Promise<CapPart[]>;

  /** Frees what a proxy has in whatever pool: it is known to have no connections any more. */
  abstract release(proxy: ProxyId): Promise<void>;

  /** In order of (pool, backend), without what has run out. */
  abstract ledgers(): Promise<StoredCapLedger[]>;
}
