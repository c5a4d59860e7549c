import { onAbort, SYSTEM_CLOCK, within } from '@palisade/async';
import { DomainError } from '@palisade/domain';
import type { Client } from 'pg';
import type { TenantNamespace } from '../../../tenant-namespace.js';
import type { ScopeContext } from '../../backend-driver.js';
import { BackendTimeoutError, ConnectionLostError } from '../../backend.errors.js';
import { cancelStatements } from '../cancel-statements.js';
import { isLost, isRunning, untilSettled } from '../client-state.js';
import { RowLimitError, TransactionFailedError } from '../postgres.errors.js';
import { TENANT_SETTING, tenantValue, type PostgresSeparation } from '../separation.js';
import { HeldRows } from './held-rows.js';
import { PreludeError, runStatement, type Prelude, type StatementResult } from './scoped-statement.js';

export interface TenantConnectionOptions {
  readonly client: Client;
  readonly owner: TenantNamespace;
  readonly context: ScopeContext;
  readonly separation: PostgresSeparation;
  /** How long to wait for the server's answer to one statement before the connection is given up. */
  readonly answerTimeoutMs: number;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly maxRows: number;
  readonly held: HeldRows;
}

/**
 * Those with a transaction in which a statement has failed for its caller. The server may have done it nevertheless, so
 * that nothing of the transaction may take effect.
 */
const doomed = new WeakSet<Client>();

const BEGIN: Prelude = { text: 'begin', values: [] };

/** How long a statement may take to end once it was told to, before its connection is cut. */
const CANCEL_TIMEOUT_MS = 1000;

/**
 * A connection that works for one namespace: each statement carries its tenant, in the same round trip. When that fails, or
 * an interrupted statement does not end, or one has ended the transaction that it was in, the connection is cut, and so
 * is never used again.
 */
export class TenantConnection {
  readonly #client: Client;
  readonly #context: ScopeContext;
  readonly #preludes: readonly Prelude[];
  readonly #answerTimeoutMs: number;
  #interruption: Promise<void> | undefined = undefined;
  #isGivenUp = false;

  constructor({ client, owner, context, separation, answerTimeoutMs }: TenantConnectionOptions) {
    this.#client = client;
    this.#context = context;
    this.#preludes = preludesOf(owner, separation);
    this.#answerTimeoutMs = answerTimeoutMs;
  }

  /** Whether a transaction is open; `failed` when all that it still takes is a rollback. */
  get transaction(): 'none' | 'open' | 'failed' {
    switch (this.#client.getTransactionStatus()) {
      case 'T':
        return doomed.has(this.#client) ? 'failed' : 'open';
      case 'E':
        return 'failed';
      default:
        return 'none';
    }
  }

  /**
   * Runs a statement in the open transaction; when there is none, one begins with it. Settles when the state of the
   * connection is known again.
   *
   * @throws {TransactionFailedError} in a transaction that has failed, or when the statement has ended it
   * @throws {RowLimitError}
   * @throws the reason of the context's signal when that aborts
   */
  async run({ text, values, maxRows, held }: Statement): Promise<StatementResult> {
    const { signal } = this.#context;
    signal.throwIfAborted();
    if (this.transaction === 'failed') {
      throw new TransactionFailedError('a statement in it had failed before');
    }
    const preludes = this.transaction === 'none' ? [BEGIN, ...this.#preludes] : this.#preludes;
    using _ = onAbort(signal, () => this.#interrupt());
    const bytesBefore = held.bytes;
    try {
      const onRow = (bytes: number) => this.#hold(bytes, held);
      const result = await this.#answer(runStatement(this.#client, { text, values, preludes, maxRows, onRow }));
      signal.throwIfAborted();
      this.#requireTransaction();
      if (result.isExceeded) {
        throw new RowLimitError(maxRows);
      }
      this.#context.countRows(result.rowCount);
      return result;
    } catch (error) {
      doomed.add(this.#client);
      await this.#settle(error);
      held.shrinkTo(bytesBefore);
      throw signal.aborted ? signal.reason : this.#explain(error);
    }
  }

  /** A statement of ours that controls the transaction; its command as the server reports it. Cannot be interrupted. */
  async control(text: string): Promise<string> {
    try {
      const { command } = await this.#answer(this.#client.query(text));
      doomed.delete(this.#client);
      return command;
    } catch (error) {
      await this.#settle(error);
      throw this.#explain(error);
    }
  }

  /** For rows that somebody is about to hold. */
  holdRows(): HeldRows {
    return new HeldRows(this.#context);
  }

  /** Ends the connection at once, so that nobody can have it any more. */
  cut(): void {
    this.#client.connection.stream.destroy();
  }

  #hold(bytes: number, held: HeldRows): void {
    try {
      held.add(bytes);
    } catch (error) {
      this.#interrupt();
      throw error;
    }
  }

  /** Settles as the statement does, unless no answer comes in time: then the connection is given up. */
  #answer<T>(running: Promise<T>): Promise<T> {
    return this.#answerTimeoutMs === Infinity
      ? running
      : within(this.#answerTimeoutMs, SYSTEM_CLOCK, running, () => {
          this.#isGivenUp = true;
          this.#interrupt();
          return new BackendTimeoutError('postgres', 'a statement', this.#answerTimeoutMs);
        });
  }

  /** Has the server stop the statement under way, if there is one. */
  #interrupt(): void {
    this.#interruption ??= this.#cancel();
  }

  async #cancel(): Promise<void> {
    await cancelStatements(this.#client, CANCEL_TIMEOUT_MS); // never rejects
    if (this.#isGivenUp || isRunning(this.#client)) {
      this.cut();
    }
    this.#interruption = undefined;
  }

  async #settle(error: unknown): Promise<void> {
    if (error instanceof PreludeError) {
      this.cut();
    }
    await this.#interruption;
    await untilSettled(this.#client);
  }

  #explain(error: unknown): unknown {
    return error instanceof DomainError || !isLost(this.#client)
      ? error
      : new ConnectionLostError('postgres', { cause: error });
  }

  #requireTransaction(): void {
    if (this.transaction !== 'open') {
      this.cut();
      throw new TransactionFailedError('a statement has ended it: use transaction, begin, commit and rollback');
    }
  }
}

function preludesOf(owner: TenantNamespace, separation: PostgresSeparation): readonly Prelude[] {
  if (separation.type === 'physical') {
    return [];
  }
  // In the mode `setting` it is empty after the transaction, so that policies show nobody's rows.
  const value = tenantValue(owner);
  const text = 'select pg_catalog.set_config($1, $2, true)';
  return [{ text, values: [TENANT_SETTING, value], expected: value }];
}
