import type { NamespaceId } from '@palisade/domain';
import { Client, DatabaseError, type ClientConfig } from 'pg';
import type { ConnectionDriver, Credentials } from '../../pools/connection-driver.js';
import { cancelStatements } from './cancel-statements.js';
import { forgetStatements, stateOf } from './client-state.js';
import { withCredentials } from './credentials.js';

export interface PostgresDriverOptions {
  /** How to connect: the same for all namespaces, or by namespace. TLS is its `ssl`. */
  readonly config: ClientConfig | ((namespace: NamespaceId) => ClientConfig);
  /**
   * What a connection keeps from one lease of its namespace to the next.
   *
   * `discard` (the default): nothing. Settings, prepared statements, temporary tables, LISTEN and advisory locks are
   * discarded on the server, which costs a round trip per lease.
   *
   * `trust`: everything. Only for a single application that leaves nothing behind: what one lease SETs, LISTENs to or
   * locks, the next one has. Prepared statements then stay prepared.
   *
   * Either way a connection that is given back in a transaction, or while a statement is running, is closed.
   */
  readonly sessionState?: 'discard' | 'trust';
  /** How long a connection may take to say goodbye before its socket is destroyed. Default 1,000. */
  readonly closeTimeoutMs?: number;
  /** For a Client of one's own. */
  readonly createClient?: (config: ClientConfig) => Client;
}

const DEFAULT_CLOSE_TIMEOUT_MS = 1000;

/** SQLSTATEs that concern who connects to what: invalid authorization, and a database that does not exist. */
const NAMESPACE_STATES = ['28', '3D000'];

/** PostgreSQL connections, each a `Client` of `pg`. */
export class PostgresDriver implements ConnectionDriver<Client> {
  readonly #options: PostgresDriverOptions;
  readonly #namespaceFailures = new WeakSet<object>();

  constructor(options: PostgresDriverOptions) {
    this.#options = options;
  }

  async connect(namespace: NamespaceId, signal: AbortSignal, credentials?: Credentials): Promise<Client> {
    signal.throwIfAborted();
    const { config, createClient = createPlainClient } = this.#options;
    const isShared = typeof config !== 'function' && credentials === undefined;
    const own = typeof config === 'function' ? config(namespace) : config;
    const client = createClient(credentials === undefined ? own : withCredentials(own, credentials));
    // Without a listener the 'error' event would end the process; those who need to know listen for 'end'.
    client.on('error', () => {});
    const abort = () => client.connection.stream.destroy();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await client.connect();
      return client;
    } catch (error) {
      await this.close(client);
      if (!isShared && error instanceof DatabaseError && concernsNamespace(error)) {
        this.#namespaceFailures.add(error);
      }
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Undefined when the session state is trusted and no statement has just failed. */
  reset(client: Client): Promise<void> | undefined {
    if (this.#options.sessionState !== 'trust') {
      return discardSessionState(client);
    }
    return stateOf(client) === 'ready' ? undefined : settle(client);
  }

  isUsable(client: Client): boolean {
    return stateOf(client) !== 'unfit';
  }

  /** Also has the server stop a statement that is running. */
  async close(client: Client): Promise<void> {
    const { stream } = client.connection;
    if (stream.closed) {
      return;
    }
    const closed = new Promise<void>((resolve) => {
      stream.once('close', resolve);
    });
    const timeoutMs = this.#options.closeTimeoutMs ?? DEFAULT_CLOSE_TIMEOUT_MS;
    await cancelStatements(client, timeoutMs);
    if (stateOf(client) === 'unfit') {
      stream.destroy();
    }
    const timer = setTimeout(() => stream.destroy(), timeoutMs);
    void client.end(); // resolves, at the latest, when the socket has closed
    await closed;
    clearTimeout(timer);
  }

  onLost(client: Client, listener: () => void): void {
    client.once('end', listener);
  }

  isNamespaceFailure(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.#namespaceFailures.has(error);
  }
}

function createPlainClient(config: ClientConfig): Client {
  return new Client(config);
}

/** Rejects inside a transaction, where the server refuses to discard. */
async function discardSessionState(client: Client): Promise<void> {
  await client.query('DISCARD ALL');
  forgetStatements(client);
  client.removeAllListeners('notification').removeAllListeners('notice');
}

/** Waits for what the server says after a failed statement; rejects when that was in a transaction. */
async function settle(client: Client): Promise<void> {
  await client.query('');
  if (stateOf(client) !== 'ready') {
    throw new Error('the connection was left in a transaction');
  }
}

function concernsNamespace({ code = '' }: DatabaseError): boolean {
  return NAMESPACE_STATES.some((state) => code.startsWith(state));
}
