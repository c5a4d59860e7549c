import type { ClientConfig } from 'pg';
import { TYPE_PARSERS } from './prepared-statements.js';

export interface PostgresOptions {
  /**
   * Who shares connections. `namespace` (the default): each provider has its own, as has the service itself, so that one busy
   * provider does not take those of others. `none`: everybody shares all of them.
   */
  readonly isolationLevel?: 'none' | 'namespace';
  /** Hard cap on all connections together. Default 20. */
  readonly maxConnections?: number;
  /** Connections of one provider. Default half of the cap. */
  readonly connectionsPerProvider?: number;
  /** How many operations of one provider (with `none`: of all) may wait for a connection. Default 1,000. */
  readonly maxQueued?: number;
  /** How long an operation may wait for a connection. Default 30,000. */
  readonly acquireTimeoutMs?: number;
  /** How long connecting may take. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /**
   * How long one statement may run. A connection on which no answer has come two seconds later is destroyed. Default 30,000;
   * 0 for no limit.
   */
  readonly statementTimeoutMs?: number;
  /** How long an unused connection stays open. Default 30,000. */
  readonly idleTimeoutMs?: number;
  /** Name of the connections in the server's views. Default `palisade`. */
  readonly applicationName?: string;
  /** Called when a connection breaks; another one is opened when needed. */
  readonly onConnectionLost?: (error: Error) => void;
}

export const DEFAULT_CONNECT_TIMEOUT_MS = 5_000;

const DEFAULT_STATEMENT_TIMEOUT_MS = 30_000;
/** How long after the server's own limit an answer may still arrive; then the path to the server is taken for dead. */
const ANSWER_MARGIN_MS = 2_000;
/** A process that hangs within a transaction holds locks that others wait for, such as that of the registry of tenants. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
/** Statements take milliseconds whatever the planner expects; compiling one would take many times as long. */
const SERVER_SETTINGS = '-c jit=off';
const KEEP_ALIVE_DELAY_MS = 10_000;

/** The configuration of every connection. */
export function clientConfig(url: string, { statementTimeoutMs, applicationName }: PostgresOptions): ClientConfig {
  return {
    connectionString: url,
    statement_timeout: statementTimeoutMs ?? DEFAULT_STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    options: SERVER_SETTINGS,
    application_name: applicationName ?? 'palisade',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    types: TYPE_PARSERS,
  };
}

/** How long to wait for the answer to a statement; undefined for no limit. */
export function answerTimeoutMs({
  statementTimeoutMs = DEFAULT_STATEMENT_TIMEOUT_MS,
}: PostgresOptions): number | undefined {
  return statementTimeoutMs === 0 ? undefined : statementTimeoutMs + ANSWER_MARGIN_MS;
}
