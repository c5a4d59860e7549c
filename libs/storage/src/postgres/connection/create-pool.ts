import { Client, Pool, types, type PoolConfig } from 'pg';
import { statementName } from './prepared-statements.js';

export interface PostgresOptions {
  /** Connections at most. Default 10. */
  readonly maxConnections?: number;
  /** How long an operation waits for a connection, and a connection to be made. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** How long one statement may run. Default 30,000; 0 for no limit. */
  readonly statementTimeoutMs?: number;
  /** How long an unused connection stays open. Default 30,000. */
  readonly idleTimeoutMs?: number;
  /** What the server shows the connections as. Default `palisade`. */
  readonly applicationName?: string;
  /** Told when the server ends a connection that is not in use; the pool has dropped it and makes a new one when needed. */
  readonly onConnectionLost?: (error: Error) => void;
}

/** A transaction whose process hangs must not hold its locks for ever. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
/** Statements take milliseconds whatever the planner expects of them: compiling one would take many times as long. */
const SERVER_SETTINGS = '-c jit=off';
const KEEP_ALIVE_DELAY_MS = 10_000;

export function createPool(url: string, options: PostgresOptions = {}): Pool {
  const pool = new Pool({
    connectionString: url,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idleTimeoutMillis: options.idleTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    options: SERVER_SETTINGS,
    application_name: options.applicationName ?? 'palisade',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    types: TYPE_PARSERS,
    Client: PreparingClient,
  });
  // Without a listener the 'error' event of an idle connection would end the process.
  pool.on('error', options.onConnectionLost ?? (() => {}));
  return pool;
}

/** Runs registered statements as prepared ones, and all others as they are. */
class PreparingClient extends Client {
  constructor(config?: ConstructorParameters<typeof Client>[0]) {
    super(config);
    // The pool listens only while a connection is idle; one that is lost in the middle of a transaction also says so
    // with an 'error' event, on top of the failing statement. The pool drops it when it is given back.
    this.on('error', () => {});
  }

  // `never` lets one body stand for every overload of the method.
  override query(first: unknown, ...rest: unknown[]): never {
    const name = typeof first === 'string' ? statementName(first) : undefined;
    const args = name === undefined ? [first, ...rest] : [{ name, text: first, values: rest[0] }];
    return Reflect.apply(super.query, this, args) as never;
  }
}

/** bigint and numeric as numbers: sequences and versions stay below 2^53, and other numerics come from JSON numbers. */
const TYPE_PARSERS: PoolConfig['types'] = {
  getTypeParser: (oid, format) =>
    oid === types.builtins.INT8 || oid === types.builtins.NUMERIC ? Number : types.getTypeParser(oid, format),
};
