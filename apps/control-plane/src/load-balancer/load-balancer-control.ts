import type { ChangeContext, LoadBalancerVersion } from '@palisade/domain';
import type { LoadBalancerStatus } from './load-balancer.js';
import type { ChangePreview } from './change-preview.js';

/**
 * The load balancer as any replica can reach it; only the leader touches it. Every method throws
 * {@link LoadBalancerNotConfiguredError} when the configuration has none, {@link LeaderUnavailableError} when nobody
 * leads or the leader does not answer in time, and {@link StoreUnavailableError} while the store cannot be reached.
 */
export abstract class LoadBalancerControl {
  /** Checks and loads everything anew; resolves with what became of it, good or bad. */
  abstract reload(change: ChangeContext): Promise<LoadBalancerVersion>;

  /** What applying the current state would change. @throws {RejectedStateError} when it cannot become a configuration */
  abstract preview(): Promise<ChangePreview>;

  /** Newest first; those before `before` (an id). */
  abstract listVersions(page: { readonly before?: string; readonly limit: number }): Promise<LoadBalancerVersion[]>;

  abstract status(): Promise<LoadBalancerStatus>;
}
