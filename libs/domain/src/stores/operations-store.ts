import type { JsonObject } from '../json.js';
import type { LoadBalancerVersion } from '../tenancy/load-balancer-version.js';
import type { HeldLease } from './lease-store.js';

export interface ComponentStatus {
  /** `load_balancer`, `dns`, `kubernetes`, `health`, `provisioning`, `audit`. */
  readonly component: string;
  readonly detail: JsonObject;
  /** Who reported it. */
  readonly holder: string;
  readonly at: Date;
}

/** Somebody wants the load balancer reloaded, and asked a replica that need not be the leader. */
export interface ReloadRequest {
  /** UUIDv7. */
  readonly id: string;
  readonly actor: string;
  readonly at: Date;
}

/** A request that is older, by the store's clock, is not pending any more, and forgotten some time later. Milliseconds. */
export const RELOAD_REQUEST_LIFETIME_MS = 60_000;

/**
 * What the leader does and finds, for every replica to tell. Writes carry the leader's lease: whoever has given it up, or
 * lost it to another, is refused; one that has run out is good until another has taken it. Every method throws
 * {@link StoreUnavailableError} while the store cannot be reached.
 */
export abstract class OperationsStore {
  /**
   * Of a version that is recorded twice the first is kept. At least the latest 1,000 are
   * kept; a reason is cut after 8,192 characters.
   *
   * @throws {LeaseLostError} when the lease's epoch is not the current one
   */
  abstract recordVersion(version: LoadBalancerVersion, lease: HeldLease): Promise<void>;

  /** Newest first; those before `before` (an id). */
  abstract listVersions(page: { readonly before?: string; readonly limit: number }): Promise<LoadBalancerVersion[]>;

  /** @throws {LeaseLostError} when the lease's epoch is not the current one */
  abstract report(status: ComponentStatus, lease: HeldLease): Promise<void>;

  /** In order of component. */
  abstract statuses(): Promise<ComponentStatus[]>;

  /** Leaves a request for the leader. */
  abstract requestReload(request: ReloadRequest): Promise<void>;

  /** Requests that are not answered, oldest first; a hundred at most. */
  abstract pendingReloads(): Promise<ReloadRequest[]>;

  /**
   * Answers requests with a version that was recorded before.
   *
   * @throws {LeaseLostError} when the lease's epoch is not the current one
   */
  abstract answerReloads(requestIds: readonly string[], versionId: string, lease: HeldLease): Promise<void>;

  /** What came of a request; undefined until it is answered. */
  abstract findReloadAnswer(requestId: string): Promise<LoadBalancerVersion | undefined>;
}
