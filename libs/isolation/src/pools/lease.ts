/** What a lease lends. */
export interface Borrowed<C> {
  readonly raw: C;
}

export interface Lender<C> {
  giveBack(borrowed: Borrowed<C>, isInDoubt: boolean): void;
}

/**
 * A borrowed connection. It goes back exactly once, at the end of the block that says
 * `using lease = await pools.acquire(…)`; giving it back again does nothing.
 */
export class Lease<C> implements Disposable {
  #borrowed: Borrowed<C> | undefined;
  #isInDoubt = false;
  readonly #lender: Lender<C>;

  constructor(borrowed: Borrowed<C>, lender: Lender<C>) {
    this.#borrowed = borrowed;
    this.#lender = lender;
  }

  /** @throws {Error} once the lease was given back: somebody else may have the connection now */
  get connection(): C {
    if (this.#borrowed === undefined) {
      throw new Error('the lease was given back already');
    }
    return this.#borrowed.raw;
  }

  /** Says that the state of the connection is not known: it will be closed instead of lent again. */
  markInDoubt(): void {
    this.#isInDoubt = true;
  }

  release(): void {
    const borrowed = this.#borrowed;
    if (borrowed !== undefined) {
      this.#borrowed = undefined;
      this.#lender.giveBack(borrowed, this.#isInDoubt);
    }
  }

  [Symbol.dispose](): void {
    this.release();
  }
}
