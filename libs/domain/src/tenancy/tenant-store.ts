import type { ChangeContext } from '../log/log-record.js';
import type { PoolName, TenantId } from '../identifiers.js';
import type { Tenant, TenantDraft, TenantSource } from './tenant.js';

export interface RegisterTenantResult {
  /** False when the identical tenant was registered already. */
  readonly registered: boolean;
  readonly tenant: Tenant;
}

export interface TenantQuery {
  readonly pool?: PoolName;
  /** Tenants after this one, in order of id. */
  readonly after?: TenantId;
  readonly limit: number;
}

export interface ReplaceTenantOptions {
  /** The change fails unless the tenant is at this version. */
  readonly ifVersion?: number;
  /** When the pool changes: how long the old pool may still serve the tenant. Milliseconds. */
  readonly drainMs?: number;
  /** The change fails when another source manages the tenant. */
  readonly source: TenantSource;
}

/** What changed after a revision; a tenant that changed several times is listed once, in its current state. */
export interface TenantChanges {
  /** Where to continue: the registry's revision at the time of reading or, if there is more, that of the last change listed. */
  readonly revision: number;
  readonly changed: readonly Tenant[];
  readonly removed: readonly TenantId[];
  /** There is more: continue from `revision` at once. */
  readonly hasMore: boolean;
}

/**
 * The registry of tenants. Every change is one transaction that takes the next revision of the registry and writes its
 * action record; revisions become visible in order, so that a reader who asks for what came after one misses nothing.
 *
 * Every method throws {@link StoreUnavailableError} while the store cannot be reached.
 */
export abstract class TenantStore {
  /**
   * Registering an identical tenant again, from the same source, changes nothing; the order of patterns does not matter.
   *
   * @throws {TenantConflictError} when the tenant is registered with other values
   * @throws {NamespaceOverlapError} when some namespace would match patterns of two tenants
   * @throws {TooManyPatternsError} beyond `MAX_WILDCARD_PATTERNS` patterns that are neither a name nor `prefix*`
   */
  abstract register(
    id: TenantId,
    source: TenantSource,
    draft: TenantDraft,
    change: ChangeContext,
  ): Promise<RegisterTenantResult>;

  /**
   * A replacement that changes nothing leaves version and revision alone.
   *
   * @throws {TenantNotFoundError} {@link PreconditionFailedError} {@link ManagedElsewhereError}
   * @throws {NamespaceOverlapError} {@link TooManyPatternsError} as for `register`
   */
  abstract replace(
    id: TenantId,
    draft: TenantDraft,
    change: ChangeContext,
    options: ReplaceTenantOptions,
  ): Promise<Tenant>;

  /** @throws {TenantNotFoundError} {@link PreconditionFailedError} {@link ManagedElsewhereError} */
  abstract remove(id: TenantId, change: ChangeContext, options: Omit<ReplaceTenantOptions, 'drainMs'>): Promise<void>;

  abstract find(id: TenantId): Promise<Tenant | undefined>;

  /** In order of id. */
  abstract list(query: TenantQuery): Promise<Tenant[]>;

  /** Increases with each change of a tenant. */
  abstract revision(): Promise<number>;

  /** Everything since the beginning when `revision` is 0. Removals are remembered for as long as the registry exists. */
  abstract changesSince(revision: number, limit: number): Promise<TenantChanges>;
}
