import { Interruption, onAbort } from '@palisade/async';
import type { ScopeContext } from './backend-driver.js';

/** What a scoped client serves: while it is under way, things are begun that have to end with it. */
export class PieceOfWork implements AsyncDisposable {
  readonly #begun = new Set<AsyncDisposable>();
  readonly #abortion = new Interruption();
  readonly #listening: Disposable;
  #isEnded = false;

  constructor(readonly context: ScopeContext) {
    const { signal } = context;
    this.#listening = onAbort(signal, () => this.#abortion.happen(signal.reason));
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** @throws {Error} when the work has ended; the reason of its signal when that has aborted */
  requireUnderWay(): void {
    this.context.signal.throwIfAborted();
    if (this.#isEnded) {
      throw new Error('the work has ended, and its client with it');
    }
  }

  /** Settles as the promise does, unless the work is aborted first: then it rejects with the reason. */
  unlessAborted<T>(promise: Promise<T>): Promise<T> {
    return this.#abortion.unless(promise);
  }

  /** Has it end with the work, unless it was {@link forget forgotten} by then. */
  begin(part: AsyncDisposable): void {
    this.#begun.add(part);
  }

  forget(part: AsyncDisposable): void {
    this.#begun.delete(part);
  }

  /** Resolves when everything that was begun has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    await Promise.allSettled([...this.#begun].map((part) => part[Symbol.asyncDispose]()));
    this.#listening[Symbol.dispose]();
  }
}
