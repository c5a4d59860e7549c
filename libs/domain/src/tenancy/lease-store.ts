export interface HeldLease {
  readonly name: string;
  readonly holder: string;
  /**
   * Increases each time the lease goes to another holder, or to any holder after a release; writes with a smaller epoch fail.
   */
  readonly epoch: number;
  /** By the store's clock; a caller who judges by its own clock counts `ttlMs` from before the call. */
  readonly expiresAt: Date;
}

/**
 * Leases that expire by the store's clock. Every method throws {@link StoreUnavailableError} while the store cannot be
 * reached.
 */
export abstract class LeaseStore {
  /**
   * Takes the lease when it is free or has expired, and extends it when `holder` has it. Returns the lease as it is now: to
   * learn who has it, compare `holder`.
   *
   * @param ttlMs 1,000 to 60,000
   * @throws {RangeError} for any other time
   * @throws {InvalidIdentifierError} when name or holder is not 1 to 255 characters that a store can keep
   */
  abstract acquire(name: string, holder: string, ttlMs: number): Promise<HeldLease>;

  /** Gives the lease up, so that others need not wait for its end; false when `holder` does not have it. */
  abstract release(name: string, holder: string): Promise<boolean>;

  /** Undefined when nobody has it, or it has expired. */
  abstract find(name: string): Promise<HeldLease | undefined>;
}
