/** What a lease gives access to. */
export interface Leased<C> {
  readonly raw: C;
}

export interface LeaseIssuer<C> {
  giveBack(leased: Leased<C>, isUnusable: boolean): void;
}

/**
 * The right to use a connection. It goes back exactly once, at the end of the block that says
 * `using lease = await pools.acquire(…)`; giving it back again does nothing.
 */
export class Lease<C> implements Disposable {
  #leased: Leased<C> | undefined;
  #isUnusable = false;
  readonly #issuer: LeaseIssuer<C>;

  constructor(leased: Leased<C>, issuer: LeaseIssuer<C>) {
    this.#leased = leased;
    this.#issuer = issuer;
  }

  /** @throws {Error} once the lease was given back: somebody else may have the connection now */
  get connection(): C {
    if (this.#leased === undefined) {
      throw new Error('the lease was given back already');
    }
    return this.#leased.raw;
  }

  /** Says that the state of the connection is unknown: it is closed instead of leased again. */
  markUnusable(): void {
    this.#isUnusable = true;
  }

  release(): void {
    const leased = this.#leased;
    if (leased !== undefined) {
      this.#leased = undefined;
      this.#issuer.giveBack(leased, this.#isUnusable);
    }
  }

  [Symbol.dispose](): void {
    this.release();
  }
}
