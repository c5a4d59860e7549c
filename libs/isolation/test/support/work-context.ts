import type { ScopeContext } from '../../src/backends/backend-driver.js';

/** The context of one piece of work, which a test may abort and look at. */
export class WorkContext implements ScopeContext {
  heldBytes = 0;
  peakBytes = 0;
  maxBytes = Infinity;
  rows = 0;
  readonly #controller = new AbortController();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  hold(bytes: number): Disposable {
    if (this.heldBytes + bytes > this.maxBytes) {
      throw new Error(`${bytes} bytes are too many`);
    }
    this.heldBytes += bytes;
    this.peakBytes = Math.max(this.peakBytes, this.heldBytes);
    return {
      [Symbol.dispose]: () => {
        this.heldBytes -= bytes;
      },
    };
  }

  countRows(rows: number): void {
    this.rows += rows;
  }

  abort(reason: unknown = new Error('the caller has gone')): void {
    this.#controller.abort(reason);
  }
}
