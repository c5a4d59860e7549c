/**
 * Something that may happen once and ends all who wait for something else. It costs the same for many who wait as for one,
 * which listeners of an AbortSignal do not: each has to be looked for among all others.
 */
export class Interruption {
  readonly #waiting = new Set<(reason: unknown) => void>();
  #happened: { readonly reason: unknown } | undefined = undefined;

  get hasHappened(): boolean {
    return this.#happened !== undefined;
  }

  /** @throws the reason when it has happened */
  throwIfHappened(): void {
    if (this.#happened !== undefined) {
      throw this.#happened.reason;
    }
  }

  /** Ends all who wait, with the reason. It happens once: the first reason stands. */
  happen(reason: unknown): void {
    if (this.#happened !== undefined) {
      return;
    }
    this.#happened = { reason };
    for (const reject of this.#waiting) {
      reject(reason);
    }
    this.#waiting.clear();
  }

  /** What the promise comes to, unless the interruption happens first: then rejects with its reason. */
  async unless<T>(promise: Promise<T>): Promise<T> {
    const { promise: interrupted, reject } = Promise.withResolvers<never>();
    if (this.#happened === undefined) {
      this.#waiting.add(reject);
    } else {
      reject(this.#happened.reason);
    }
    try {
      return await Promise.race([interrupted, promise]);
    } finally {
      this.#waiting.delete(reject);
    }
  }
}
