import type { JsonObject } from '../json.js';
import type { LoadBalancerVersion } from '../tenancy/load-balancer-version.js';
import type { HeldLease } from './lease-store.js';

export interface ComponentStatus {
  /** `load_balancer`, `dns`, `kubernetes`, `health`, `provisioning`. */
  readonly component: string;
  readonly detail: JsonObject;
  /** Who reported it. */
  readonly holder: string;
  readonly at: Date;
}

/**
 * What the leader does and finds, for every replica to tell. Writes carry the leader's lease: whoever has lost it is
 * refused. Every method throws {@link StoreUnavailableError} while the store cannot be reached.
 */
export abstract class OperationsStore {
  /** @throws {LeaseLostError} when the lease's epoch is not the current one */
  abstract recordVersion(version: LoadBalancerVersion, lease: HeldLease): Promise<void>;

  /** Newest first; those before `before` (an id). */
  abstract listVersions(page: { readonly before?: string; readonly limit: number }): Promise<LoadBalancerVersion[]>;

  /** @throws {LeaseLostError} when the lease's epoch is not the current one */
  abstract report(status: ComponentStatus, lease: HeldLease): Promise<void>;

  /** In order of component. */
  abstract statuses(): Promise<ComponentStatus[]>;
}
