export interface HeldLease {
  readonly name: string;
  readonly holder: string;
  /** Increases each time that the lease goes to another holder: writes with a smaller one are refused. */
  readonly epoch: number;
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
   */
  abstract acquire(name: string, holder: string, ttlMs: number): Promise<HeldLease>;

  /** Gives it up, so that another need not wait; false when `holder` does not have it. */
  abstract release(name: string, holder: string): Promise<boolean>;

  abstract find(name: string): Promise<HeldLease | undefined>;
}
