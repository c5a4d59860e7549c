import { WaitingLine } from './waiting-line.js';

const MAX_WAITING = 100;

/** Lets one caller at a time use something, in order, until it is closed. */
export class Turns {
  readonly #line = new WaitingLine();
  #isTaken = false;
  #closed: { readonly reason: unknown } | undefined = undefined;

  /** @param whenFull what is thrown when as many wait as may */
  constructor(private readonly whenFull: (maxWaiting: number) => Error) {}

  get isTaken(): boolean {
    return this.#isTaken;
  }

  get waiting(): number {
    return this.#line.length;
  }

  /**
   * The turn lasts until what is returned is disposed of.
   *
   * @throws what {@link whenFull} returns
   * @throws the reason of {@link close}, or of `signal` when that aborts before the turn comes
   */
  async take(signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#closed !== undefined) {
      throw this.#closed.reason;
    }
    if (this.#isTaken) {
      if (this.#line.length >= MAX_WAITING) {
        throw this.whenFull(MAX_WAITING);
      }
      await this.#line.join(signal);
    }
    this.#isTaken = true;
    let isOver = false;
    return {
      [Symbol.dispose]: () => {
        if (!isOver) {
          isOver = true;
          this.#isTaken = this.#line.admit();
        }
      },
    };
  }

  /** Rejects those who wait, and those who come later; the turn that is under way goes on. */
  close(reason: unknown): void {
    this.#closed = { reason };
    this.#line.rejectAll(reason);
  }
}
