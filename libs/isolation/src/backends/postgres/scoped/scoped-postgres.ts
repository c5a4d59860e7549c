import type { ScopeContext, ScopedClient } from '../../backend-driver.js';
import { InvalidStatementError } from '../postgres.errors.js';
import { PostgresTransaction } from './postgres-transaction.js';
import { StatementScope, requireQuery, type PostgresResult, type QueryOptions } from './statement-scope.js';
import { TenantConnection, type TenantConnectionOptions } from './tenant-connection.js';
import { savepoint, wholeTransaction } from './transaction-steps.js';

export interface ScopedPostgresOptions extends TenantConnectionOptions {
  /** Rows that one statement may return. */
  readonly maxRows: number;
}

/**
 * A PostgreSQL client that reaches the rows of one namespace. Statements have parameters, and each is sent by the extended
 * protocol, which takes one statement at a time. Statements that overlap take turns, in order.
 *
 * Rows that are returned count as memory of the namespace until the client is disposed of; those of a stream, until the
 * next batch.
 */
export class ScopedPostgres extends StatementScope implements ScopedClient {
  readonly #end: AbortController;

  constructor({ maxRows, context, ...options }: ScopedPostgresOptions) {
    const end = new AbortController();
    const signal = AbortSignal.any([context.signal, end.signal]);
    const connection = new TenantConnection({ ...options, context: { ...bound(context), signal } });
    super({ connection, signal, held: connection.holdRows(), maxRows });
    this.#end = end;
  }

  /** Whether a transaction is open that an earlier piece of work, or this one, has begun with {@link begin}. */
  get isInTransaction(): boolean {
    return this.work.connection.transaction !== 'none';
  }

  /**
   * Runs a statement: in the transaction that {@link begin} has opened, else in one of its own.
   *
   * @param values of `$1`, `$2` …; an empty list when there are none
   * @throws {InvalidStatementError} when nothing was sent
   * @throws {RowLimitError} {@link MemoryLimitError} when it returns too much; what it changed is undone
   * @throws {TransactionFailedError} when a statement before it in the transaction had failed
   * @throws {ConnectionLostError} the server's `DatabaseError`, or the reason of the work's signal
   */
  async query<R = Record<string, unknown>>(
    text: string,
    values: readonly unknown[],
    options: QueryOptions = {},
  ): Promise<PostgresResult<R>> {
    requireQuery(text, values, this.work.maxRows, options);
    using _turn = await this.enter();
    const { rows, rowCount } = this.isInTransaction
      ? await this.run(text, values, options)
      : await this.#runAlone(text, values, options);
    return { rows: rows as R[], rowCount };
  }

  /**
   * Does work in a transaction: all of it takes effect, or nothing when it fails. Within one that {@link begin} has opened
   * it is a savepoint. Meanwhile this client takes no statements: `work` uses what it is given.
   *
   * @throws {TransactionFailedError} when a statement had failed, although `work` took no notice
   */
  transaction<T>(work: (transaction: PostgresTransaction) => Promise<T>): Promise<T> {
    const { connection } = this.work;
    const inner = new PostgresTransaction(this.work);
    const createSteps = () => (this.isInTransaction ? savepoint(connection, 0) : wholeTransaction(connection));
    return this.nest(inner, createSteps, work);
  }

  /**
   * Opens a transaction that outlives this client: for a session, whose next piece of work continues in it. A pooled
   * connection that is given back with it open is closed, which rolls it back.
   *
   * @throws {InvalidStatementError} when one is open already
   */
  async begin(): Promise<void> {
    using _turn = await this.enter();
    if (this.isInTransaction) {
      throw new InvalidStatementError('no transaction to be open');
    }
    await this.work.connection.control('begin');
  }

  /**
   * Has the transaction that {@link begin} has opened take effect.
   *
   * @throws {TransactionFailedError} when a statement had failed; then it was rolled back
   */
  async commit(): Promise<void> {
    using _turn = await this.#enterTransaction();
    await wholeTransaction(this.work.connection).commit();
  }

  /** Undoes the transaction that {@link begin} has opened. */
  async rollback(): Promise<void> {
    using _turn = await this.#enterTransaction();
    await this.work.connection.control('rollback');
  }

  /** Interrupts what is under way and undoes it; a transaction that {@link begin} has opened stays. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort(new InvalidStatementError('a client whose work has not ended'));
    await this.end();
    this.work.held[Symbol.dispose]();
  }

  async #runAlone(text: string, values: readonly unknown[], options: QueryOptions) {
    const steps = wholeTransaction(this.work.connection);
    try {
      const result = await this.run(text, values, options);
      await steps.commit();
      return result;
    } catch (error) {
      await steps.rollback();
      throw error;
    }
  }

  async #enterTransaction(): Promise<Disposable> {
    const turn = await this.enter();
    if (this.isInTransaction) {
      return turn;
    }
    turn[Symbol.dispose]();
    throw new InvalidStatementError('a transaction to be open');
  }
}

/** The context's methods, whoever calls them. */
function bound(context: ScopeContext): Omit<ScopeContext, 'signal'> {
  return { hold: (bytes) => context.hold(bytes), countRows: (rows) => context.countRows(rows) };
}
