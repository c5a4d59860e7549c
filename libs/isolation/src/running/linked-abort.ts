import { Disposables, onAbort } from '@palisade/async';

/** A signal that aborts with any of those it follows, for the same reason, until it is disposed of. */
export class LinkedAbort implements Disposable {
  readonly #controller = new AbortController();
  readonly #listening = new Disposables();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  follow(signal: AbortSignal | undefined): void {
    if (signal !== undefined) {
      this.#listening.use(onAbort(signal, () => this.abort(signal.reason)));
    }
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
  }
}
