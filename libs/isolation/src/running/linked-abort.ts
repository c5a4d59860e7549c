/** A signal that aborts with any of those it follows, for the same reason, until it is disposed of. */
export class LinkedAbort implements Disposable {
  readonly #controller = new AbortController();
  readonly #unlisten: (() => void)[] = [];

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  follow(signal: AbortSignal | undefined): void {
    if (signal === undefined) {
      return;
    }
    const onAbort = () => this.abort(signal.reason);
    if (signal.aborted) {
      onAbort();
    }
    signal.addEventListener('abort', onAbort, { once: true });
    this.#unlisten.push(() => signal.removeEventListener('abort', onAbort));
  }

  [Symbol.dispose](): void {
    for (const unlisten of this.#unlisten.splice(0)) {
      unlisten();
    }
  }
}
