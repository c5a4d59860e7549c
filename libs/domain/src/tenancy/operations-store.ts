import type { JsonObject } from '../values/json.js';
import type { HeldLease } from './lease-store.js';

/** What happened when a configuration was applied, or why it was not. */
export interface LoadBalancerVersion {
  /** UUIDv7. */
  readonly id: string;
  /** Revision of the registry that it was rendered from. */
  readonly revision: number;
  /** Epoch of the leader that rendered it; absent in versions older than this field. */
  readonly epoch?: number;
  /** SHA-256 of everything that was rendered, in hexadecimal; empty when nothing could be. */
  readonly hash: string;
  readonly type: 'haproxy' | 'nginx' | 'envoy';
  /** `maps` and `servers` are changes at runtime, `reload` starts new workers, `none` had nothing to do. */
  readonly method: 'none' | 'maps' | 'servers' | 'reload';
  readonly result: 'applied' | 'unchanged' | 'rejected' | 'rolled_back' | 'failed';
  /** Why it was not applied or, when it was, which proxies it did not wait for. */
  readonly reason?: string;
  readonly actor: string;
  readonly at: Date;
  readonly durationMs: number;
}

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

/** An older request, by the store's clock, is no longer pending, and is deleted some time later. Milliseconds. */
export const RELOAD_REQUEST_LIFETIME_MS = 60_000;

/**
 * What the leader does and observes, readable by every replica. Writes carry the leader's lease and fail after the leader has
 * given it up or lost it; an expired lease stays valid until another replica takes it. Every method throws
 * {@link StoreUnavailableError} while the store cannot be reached.
 */
export abstract class OperationsStore {
  /**
   * When a version is recorded twice, the first is kept. At least the latest 1,000 are kept; a reason is cut after 8,192
   * characters.
   *
   * @throws {LeaseLostError} when the lease's epoch is not the current one
   */
  abstract recordVersion(version: LoadBalancerVersion, lease: HeldLease): Promise<void>;

  /** Newest first, starting before the version with the id `before`. */
  abstract listVersions(page: { readonly before?: string; readonly limit: number }): Promise<LoadBalancerVersion[]>;

  /** @throws {LeaseLostError} when the lease's epoch is not the current one */
  abstract report(status: ComponentStatus, lease: HeldLease): Promise<void>;

  /** In order of component. */
  abstract statuses(): Promise<ComponentStatus[]>;

  /** Leaves a request for the leader. */
  abstract requestReload(request: ReloadRequest): Promise<void>;

  /** Unanswered requests, oldest first; at most 100. */
  abstract pendingReloads(): Promise<ReloadRequest[]>;

  /**
   * Answers requests with a version that was recorded before.
   *
   * @throws {LeaseLostError} when the lease's epoch is not the current one
   */
  abstract answerReloads(requestIds: readonly string[], versionId: string, lease: HeldLease): Promise<void>;

  /** The version that answers a request; undefined until it is answered. */
  abstract findReloadAnswer(requestId: string): Promise<LoadBalancerVersion | undefined>;
}
