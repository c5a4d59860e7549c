import { Disposables } from '@palisade/async';
import type { ScopeContext } from '../../backend-driver.js';

/** Rows are small; asking once for so many bytes is as good. */
const STEP_BYTES = 64 * 1024;

/** Accounts for rows that are held, in steps of 64 KiB, until they are let go. */
export class HeldRows implements Disposable {
  readonly #context: Pick<ScopeContext, 'hold'>;
  readonly #holds = new Disposables();
  #heldBytes = 0;
  #bytes = 0;

  constructor(context: Pick<ScopeContext, 'hold'>) {
    this.#context = context;
  }

  /** As they came from the server. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @throws {MemoryLimitError} when the namespace may not hold so much more */
  add(bytes: number): void {
    const missing = this.#bytes + bytes - this.#heldBytes;
    if (missing > 0) {
      const step = Math.ceil(missing / STEP_BYTES) * STEP_BYTES;
      this.#holds.use(this.#context.hold(step));
      this.#heldBytes += step;
    }
    this.#bytes += bytes;
  }

  /** Lets go of what was added since there were so many bytes. */
  shrinkTo(bytes: number): void {
    this[Symbol.dispose]();
    this.add(bytes);
  }

  [Symbol.dispose](): void {
    this.#holds[Symbol.dispose]();
    this.#heldBytes = 0;
    this.#bytes = 0;
  }
}
