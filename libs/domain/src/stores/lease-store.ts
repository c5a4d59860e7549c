export interface HeldLease {
  readonly name: string;
  readonly holder: string;
  /**
   * Increases each time that the lease goes to another holder, or to anybody after it was given up: writes with a smaller
   * one are refused.
   */
  readonly epoch: number;
  /** By the store's clock: to judge by one's own, count `ttlMs` from before the call. */
  readonly expiresAt: Date;
}

/**
 * Leases, by the store's clock. Every method throws {@link StoreUnavailableError} while the store cannot be reached.
 */
export abstract class LeaseStore {
  /**
   * Takes the lease when it is free or has run out, and extends it when `holder` has it. Returns whoever has it now:
   * compare `holder`.
   *
   * @param ttlMs 1,000 to 60,000
   * @throws {RangeError} for any other time
   * @throws {InvalidIdentifierError} when name or holder is not 1 to 255 characters that a store can keep
   */
  abstract acquire(name: string, holder: string, ttlMs: number): Promise<HeldLease>;

  /** Gives it up, so that another need not wait; false when `holder` does not have it. */
  abstract release(name: string, holder: string): Promise<boolean>;

  /** Undefined when nobody has it, or it has run out. */
  abstract find(name: string): Promise<HeldLease | undefined>;
}
