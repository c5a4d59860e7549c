import type { NamespaceId } from '@palisade/domain';
import type { ScopeContext } from '../backends/backend-driver.js';
import type { MemoryLedger } from '../limits/memory-ledger.js';

/** What a client may use during one piece of work. What is still held at the end is given back then. */
export class WorkScope implements ScopeContext, Disposable {
  readonly #held = new Set<Disposable>();
  #isOver = false;
  #rows: number | undefined = undefined;
  #memoryError: unknown = undefined;

  constructor(
    readonly signal: AbortSignal,
    private readonly namespace: NamespaceId,
    private readonly memory: MemoryLedger,
  ) {}

  /** Undefined when nobody has counted any. */
  get rows(): number | undefined {
    return this.#rows;
  }

  /** Why memory was last not given; undefined while it always was. */
  get memoryError(): unknown {
    return this.#memoryError;
  }

  hold(bytes: number): Disposable {
    const hold = this.#take(bytes);
    this.#held.add(hold);
    return {
      [Symbol.dispose]: () => {
        this.#held.delete(hold);
        hold[Symbol.dispose]();
      },
    };
  }

  countRows(rows: number): void {
    if (!Number.isSafeInteger(rows) || rows < 0) {
      throw new RangeError(`expected a number of rows, found ${rows}`);
    }
    this.#rows = (this.#rows ?? 0) + rows;
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    for (const hold of this.#held) {
      hold[Symbol.dispose]();
    }
    this.#held.clear();
  }

  #take(bytes: number): Disposable {
    if (this.#isOver) {
      throw new Error('memory was asked for by work that is over');
    }
    try {
      return this.memory.hold(this.namespace, bytes);
    } catch (error) {
      this.#memoryError = error;
      throw error;
    }
  }
}
