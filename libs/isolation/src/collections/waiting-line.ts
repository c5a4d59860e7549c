import { Link, LinkedList } from './linked-list.js';

/** Callers that wait to be admitted, in order; one that aborts has left the line at that instant. */
export class WaitingLine {
  readonly #line = new LinkedList<PromiseWithResolvers<void>>();

  get length(): number {
    return this.#line.length;
  }

  /** Resolves when the caller's turn has come; rejects with the reason of `signal`, or of {@link rejectAll}. */
  async join(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const place = new Link(Promise.withResolvers<void>());
    const onAbort = () => {
      this.#line.remove(place);
      place.value.reject(signal?.reason);
    };
    this.#line.push(place);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await place.value.promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Admits whoever has waited longest; false when nobody waits. */
  admit(): boolean {
    const place = this.#line.first;
    if (place === undefined) {
      return false;
    }
    this.#line.remove(place);
    place.value.resolve();
    return true;
  }

  rejectAll(reason: unknown): void {
    for (let place = this.#line.first; place !== undefined; place = this.#line.first) {
      this.#line.remove(place);
      place.value.reject(reason);
    }
  }
}
