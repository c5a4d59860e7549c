import type { Client, Connection, Result } from 'pg';
import { DatabaseError, Query } from '../pg-package.js';

/** A statement that is sent along, before another one. */
export interface Prelude {
  readonly text: string;
  readonly values: readonly string[];
  /** What its first column has to say; anything else fails the whole. */
  readonly expected?: string;
}

export interface StatementOptions {
  /** One statement; the server rejects a text with more. */
  readonly text: string;
  readonly values: readonly unknown[];
  /** Sent in the same round trip. When one of them fails, nothing after it is run. */
  readonly preludes: readonly Prelude[];
  /** Rows to be returned at most; the server makes one more, to tell whether there are. */
  readonly maxRows: number;
  /** Told of each row's size before it is kept. What it throws fails the statement. */
  readonly onRow: (bytes: number) => void;
}

export interface StatementResult {
  readonly command: string;
  readonly rowCount: number;
  readonly rows: Record<string, unknown>[];
  /** Whether there were more than `maxRows`. */
  readonly isExceeded: boolean;
}

/** One of the preludes failed, so it is not known which tenant the connection now works for. */
export class PreludeError extends Error {
  override readonly name = 'PreludeError';
}

interface RowMessage {
  readonly length: number;
  readonly fields: readonly (string | null)[];
}

interface CopyingConnection extends Connection {
  sendCopyFail(reason: string): void;
}

/** What `pg` 8 calls on a query without declaring it. */
interface QueryInternals {
  prepare(connection: Connection): void;
  handleDataRow(message: RowMessage): void;
  handleCommandComplete(message: object, connection: Connection): void;
}

const BASE = Query.prototype as unknown as QueryInternals;

/** A statement with parameters, always by the extended protocol, behind its preludes and with bounded rows. */
class ScopedStatement extends Query {
  isExceeded = false;
  failure: unknown;
  readonly #options: StatementOptions;
  #preludesDone = 0;

  constructor(options: StatementOptions, callback: (error: Error | undefined, result: unknown) => void) {
    const { text, values } = options;
    const config = { text, values: [...values], queryMode: 'extended' };
    super(config, callback);
    this.#options = options;
  }

  get isInPrelude(): boolean {
    return this.#preludesDone < this.#options.preludes.length;
  }

  prepare(connection: Connection): void {
    for (const { text, values } of this.#options.preludes) {
      connection.parse({ name: '', text, types: [] }, true);
      connection.bind({ values: [...values] }, true);
      connection.execute(null, true);
    }
    BASE.prepare.call(this, connection);
  }

  _getRows(connection: Connection): void {
    connection.execute({ rows: this.#options.maxRows + 1 } as object, true);
    connection.sync();
  }

  handleDataRow(message: RowMessage): void {
    if (this.isInPrelude) {
      this.#check(message);
    } else if (this.failure === undefined) {
      this.#take(message);
    }
  }

  handleCommandComplete(message: object, connection: Connection): void {
    if (this.isInPrelude) {
      this.#preludesDone++;
    } else {
      BASE.handleCommandComplete.call(this, message, connection);
    }
  }

  handlePortalSuspended(): void {
    this.isExceeded = true;
  }

  /** A server that waits for data has ignored the end of the statement, so it is told once more. */
  handleCopyInResponse(connection: CopyingConnection): void {
    connection.sendCopyFail('there is no data to copy');
    connection.sync();
  }

  #check({ fields }: RowMessage): void {
    const { expected } = this.#options.preludes[this.#preludesDone] ?? {};
    if (expected !== undefined && fields[0] !== expected) {
      this.failure ??= new PreludeError(`expected the setting ${expected}, found ${fields[0]}`);
    }
  }

  #take(message: RowMessage): void {
    try {
      this.#options.onRow(message.length);
      BASE.handleDataRow.call(this, message);
    } catch (error) {
      this.failure = error;
    }
  }
}

/**
 * Runs a statement. It may settle before the server has said in what state the connection is then.
 *
 * @throws {PreludeError} when it did not get as far as the statement itself
 */
export function runStatement(client: Client, options: StatementOptions): Promise<StatementResult> {
  const outcome = Promise.withResolvers<StatementResult>();
  const statement = new ScopedStatement(options, (error, result) => {
    const { failure, isExceeded, isInPrelude } = statement;
    if (failure !== undefined) {
      outcome.reject(failure);
    } else if (error) {
      const isUncertain = isInPrelude && error instanceof DatabaseError;
      outcome.reject(isUncertain ? new PreludeError('the tenant could not be set', { cause: error }) : error);
    } else {
      const { command, rowCount, rows } = result as Result;
      outcome.resolve({ command: command ?? '', rowCount: rowCount ?? 0, rows, isExceeded });
    }
  });
  client.query(statement);
  return outcome.promise;
}
