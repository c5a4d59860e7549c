import { InvalidStatementError, TransactionFailedError } from '../postgres.errors.js';
import type { HeldRows } from './held-rows.js';
import type { StatementResult } from './scoped-statement.js';
import type { TenantConnection } from './tenant-connection.js';
import { Turns } from '../../../collections/turns.js';

export interface PostgresResult<R> {
  readonly rows: readonly R[];
  /** Rows that were returned, or changed. */
  readonly rowCount: number;
}

export interface QueryOptions {
  /** Rows to be returned at most; no more than the driver's `maxRows`, which is the default. */
  readonly maxRows?: number;
}

/** What all clients of one piece of work share. */
export interface ScopedWork {
  readonly connection: TenantConnection;
  readonly signal: AbortSignal;
  readonly held: HeldRows;
  readonly maxRows: number;
}

/** How a transaction begins and ends: that of the server, or a savepoint within one. */
export interface TransactionSteps {
  /** @throws {TransactionFailedError} */
  begin(): Promise<void>;
  /** @throws {TransactionFailedError} when a statement had failed; then it was rolled back */
  commit(): Promise<void>;
  /** Never rejects: what cannot be rolled back is cut. */
  rollback(): Promise<void>;
}

interface Nested {
  readonly scope: StatementScope;
  readonly steps: TransactionSteps;
}

/** Statements of one piece of work that take turns on its connection, until it ends. */
export abstract class StatementScope {
  protected readonly work: ScopedWork;
  readonly #turns = new Turns(
    (maxWaiting) => new InvalidStatementError(`at most ${maxWaiting} at a time that wait for their turn`),
  );
  #isOpen = true;
  #nested: Nested | undefined = undefined;

  constructor(work: ScopedWork) {
    this.work = work;
  }

  /**
   * Accepts nothing any more, and resolves when nothing is under way on the connection; true for the first caller only,
   * who decides what becomes of the transaction.
   */
  async end(): Promise<boolean> {
    if (!this.#isOpen) {
      return false;
    }
    this.#isOpen = false;
    const nested = this.#nested;
    if (nested === undefined) {
      (await this.#turns.take())[Symbol.dispose]();
    } else if (await nested.scope.end()) {
      await nested.steps.rollback();
    }
    return true;
  }

  /** The caller's turn on the connection, until it is disposed of. */
  protected async enter(): Promise<Disposable> {
    this.#requireOpen();
    if (this.#nested !== undefined) {
      throw new InvalidStatementError('the client that the work of the transaction under way was given');
    }
    const turn = await this.#turns.take(this.work.signal);
    try {
      this.#requireOpen();
    } catch (error) {
      turn[Symbol.dispose]();
      throw error;
    }
    return turn;
  }

  protected async run(
    text: string,
    values: readonly unknown[],
    { maxRows = this.work.maxRows }: QueryOptions,
  ): Promise<StatementResult> {
    const { connection, held } = this.work;
    return connection.run({ text, values, maxRows, held });
  }

  /** Does work in a transaction, in which nobody else has a turn. */
  protected async nest<S extends StatementScope, T>(
    scope: S,
    createSteps: () => TransactionSteps,
    work: (scope: S) => Promise<T>,
  ): Promise<T> {
    using _turn = await this.enter();
    const steps = createSteps();
    this.#nested = { scope, steps };
    try {
      await steps.begin();
      const result = await settleWithin(scope, steps, work);
      await steps.commit();
      return result;
    } finally {
      this.#nested = undefined;
    }
  }

  #requireOpen(): void {
    if (!this.#isOpen) {
      throw new InvalidStatementError('a client whose work has not ended');
    }
  }
}

/** Rolls back when the work fails. When somebody else has ended the transaction, the connection is not touched. */
async function settleWithin<S extends StatementScope, T>(
  scope: S,
  steps: TransactionSteps,
  work: (scope: S) => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    result = await work(scope);
  } catch (error) {
    if (await scope.end()) {
      await steps.rollback();
    }
    throw error;
  }
  if (!(await scope.end())) {
    throw new TransactionFailedError('its client was disposed of');
  }
  return result;
}

/**
 * Checks a query of a caller.
 *
 * @throws {InvalidStatementError}
 */
export function requireQuery(text: unknown, values: unknown, maxRows: number, { maxRows: wanted }: QueryOptions): void {
  requireStatement(text, values);
  if (wanted !== undefined) {
    requireCount('maxRows', wanted, maxRows);
  }
}

/** The protocol counts parameters in 16 bits. */
const MAX_VALUES = 65_535;

/**
 * Checks what a caller gives as a statement, whatever its types promise.
 *
 * @throws {InvalidStatementError}
 */
export function requireStatement(text: unknown, values: unknown): void {
  // The server would take what follows a NUL for the rest of the message.
  if (typeof text !== 'string' || text.includes('\0')) {
    throw new InvalidStatementError('a text without NUL characters');
  }
  if (!Array.isArray(values) || values.length > MAX_VALUES) {
    throw new InvalidStatementError(`a list of at most ${MAX_VALUES} values, empty when there are no parameters`);
  }
}

/** @throws {InvalidStatementError} */
export function requireCount(name: string, count: number, max: number): number {
  if (!Number.isInteger(count) || count < 1 || count > max) {
    throw new InvalidStatementError(`${name} to be an integer from 1 to ${max}`);
  }
  return count;
}
