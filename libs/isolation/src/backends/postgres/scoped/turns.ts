import { WaitingLine } from '../../../collections/waiting-line.js';
import { InvalidStatementError } from '../postgres.errors.js';

const MAX_WAITING = 100;

/** Lets one at a time use a connection, in order. */
export class Turns {
  readonly #line = new WaitingLine();
  #isTaken = false;

  /**
   * The turn lasts until what is returned is disposed of.
   *
   * @throws {InvalidStatementError} when too many wait
   * @throws the reason of `signal` when that aborts first
   */
  async take(signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#isTaken) {
      if (this.#line.length >= MAX_WAITING) {
        throw new InvalidStatementError(`at most ${MAX_WAITING} at a time that wait for their turn`);
      }
      await this.#line.join(signal);
    }
    this.#isTaken = true;
    const turn = new DisposableStack();
    turn.defer(() => this.#pass());
    return turn;
  }

  #pass(): void {
    this.#isTaken = this.#line.admit();
  }
}
