import type { ClientConfig } from 'pg';
import { TYPE_PARSERS } from './prepared-statements.js';

export interface PostgresOptions {
  /**
   * What shares connections. `namespace` (the default): each provider has its own, beside those of the service itself, so
   * that one which asks for much leaves the others theirs. `none`: everybody shares all of them.
   */
  readonly isolationLevel?: 'none' | 'namespace';
  /** Connections of everybody together, a hard cap. Default 20. */
  readonly maxConnections?: number;
  /** Connections of one provider. Default half of the cap. */
  readonly connectionsPerProvider?: number;
  /** Operations of one provider, at the level `none` of all, that may wait for a connection. Default 1,000. */
  readonly maxQueued?: number;
  /** How long an operation may wait for a connection. Default 30,000. */
  readonly acquireTimeoutMs?: number;
  /** How long a connection may take to be made. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** How long one statement may run. Default 30,000; 0 for no limit. */
  readonly statementTimeoutMs?: number;
  /** How long an unused connection stays open. Default 30,000. */
  readonly idleTimeoutMs?: number;
  /** What the server shows the connections as. Default `palisade`. */
  readonly applicationName?: string;
  /** Told when a connection breaks; another one is made when it is needed. */
  readonly onConnectionLost?: (error: Error) => void;
}

export const DEFAULT_CONNECT_TIMEOUT_MS = 5_000;

/** A transaction whose process hangs must not hold its locks for ever. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
/** Statements take milliseconds whatever the planner expects of them: compiling one would take many times as long. */
const SERVER_SETTINGS = '-c jit=off';
const KEEP_ALIVE_DELAY_MS = 10_000;

/** How every connection is made. */
export function clientConfig(url: string, { statementTimeoutMs, applicationName }: PostgresOptions): ClientConfig {
  return {
    connectionString: url,
    statement_timeout: statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    options: SERVER_SETTINGS,
    application_name: applicationName ?? 'palisade',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    types: TYPE_PARSERS,
  };
}
