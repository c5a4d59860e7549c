import type { HeldRows } from './held-rows.js';
import {
  type PostgresResult,
  type QueryOptions,
  requireCount,
  requireQuery,
  requireStatement,
  type ScopedWork,
  StatementScope,
} from './statement-scope.js';
import { savepoint } from './transaction-steps.js';

export interface StreamOptions {
  /** Rows that are fetched, and held, at a time. Default 100. */
  readonly batchRows?: number;
}

const DEFAULT_BATCH_ROWS = 100;
const MAX_BATCH_ROWS = 10_000;

/** The statements of one transaction; of no use once it has ended. Statements that overlap take turns. */
export class PostgresTransaction extends StatementScope {
  readonly #depth: number;
  #cursors = 0;

  constructor(work: ScopedWork, depth = 0) {
    super(work);
    this.#depth = depth;
  }

  /** As {@link ScopedPostgres.query}, in this transaction. When a statement fails, nothing of the transaction will take effect. */
  async query<R = Record<string, unknown>>(
    text: string,
    values: readonly unknown[],
    options: QueryOptions = {},
  ): Promise<PostgresResult<R>> {
    requireQuery(text, values, this.work.maxRows, options);
    using _turn = await this.enter();
    const { rows, rowCount } = await this.run(text, values, options);
    return { rows: rows as R[], rowCount };
  }

  /**
   * The rows of a `select` (or `values`, or `table`), however many: a batch of them is held at a time. Other statements may
   * run while it goes on.
   *
   * @throws {InvalidStatementError} {@link MemoryLimitError} when a batch is larger than the namespace may hold
   */
  async *stream<R = Record<string, unknown>>(
    text: string,
    values: readonly unknown[],
    { batchRows = DEFAULT_BATCH_ROWS }: StreamOptions = {},
  ): AsyncGenerator<R, void> {
    requireStatement(text, values);
    requireCount('batchRows', batchRows, MAX_BATCH_ROWS);
    const cursor = `palisade_cursor_${this.#depth}_${++this.#cursors}`;
    await this.#take(`declare ${cursor} no scroll cursor for ${text}`, values, batchRows, this.work.held);
    for (let length = batchRows; length === batchRows;) {
      using held = this.work.connection.holdRows();
      const rows = await this.#take(`fetch forward ${batchRows} from ${cursor}`, [], batchRows, held);
      yield* rows as R[];
      length = rows.length;
    }
    await this.#take(`close ${cursor}`, [], batchRows, this.work.held);
  }

  /** Does work that is undone alone when it fails: a savepoint. */
  transaction<T>(work: (transaction: PostgresTransaction) => Promise<T>): Promise<T> {
    const depth = this.#depth + 1;
    const inner = new PostgresTransaction(this.work, depth);
    return this.nest(inner, () => savepoint(this.work.connection, depth), work);
  }

  async #take(text: string, values: readonly unknown[], maxRows: number, held: HeldRows): Promise<unknown[]> {
    using _turn = await this.enter();
    const { rows } = await this.work.connection.run({ text, values, maxRows, held });
    return rows;
  }
}
