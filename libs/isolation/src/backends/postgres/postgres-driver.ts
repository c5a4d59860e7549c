import type { NamespaceId } from '@palisade/domain';
import { Client, DatabaseError, type ClientConfig } from 'pg';
import type { Credentials } from '../../pools/connection-driver.js';
import type { BackendDriver, ScopeContext } from '../backend-driver.js';
import { cancelStatements } from './cancel-statements.js';
import { forgetStatements, stateOf } from './client-state.js';
import { withCredentials } from './credentials.js';
import { RowLevelSecurityError } from './postgres.errors.js';
import { checkLogin } from './row-level-security/role-problems.js';
import { PREFLIGHT_NAMESPACE, preflightRowLevelSecurity } from './row-level-security/preflight.js';
import { ScopedPostgres } from './scoped/scoped-postgres.js';
import type { PostgresSeparation } from './separation.js';

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
  /** How namespaces are kept apart on the server. Without it connections can be lent, and not be used through `scope`. */
  readonly separation?: PostgresSeparation;
  /** Rows that one statement of a scoped client may return. Default 10,000. */
  readonly maxRows?: number;
  /** How long a connection may take to say goodbye before its socket is destroyed. Default 1,000. */
  readonly closeTimeoutMs?: number;
  /** For a Client of one's own. */
  readonly createClient?: (config: ClientConfig) => Client;
}

const DEFAULT_CLOSE_TIMEOUT_MS = 1000;
const DEFAULT_MAX_ROWS = 10_000;
const PREFLIGHT_TIMEOUT_MS = 30_000;

/** SQLSTATEs that concern who connects to what: invalid authorization, and a database that does not exist. */
const NAMESPACE_STATES = ['28', '3D000'];

/**
 * PostgreSQL connections, each a `Client` of `pg`. With row-level security, no connection is made whose role could see past
 * the policies.
 */
export class PostgresDriver implements BackendDriver<Client, ScopedPostgres> {
  readonly #options: PostgresDriverOptions;
  readonly #namespaceFailures = new WeakSet<object>();

  /** @throws {TypeError} when the preflight would not know as whom to connect */
  constructor(options: PostgresDriverOptions) {
    const { separation, config } = options;
    const isByNamespace = typeof config === 'function';
    if (separation?.type === 'row_level_security' && isByNamespace && separation.preflightNamespace === undefined) {
      throw new TypeError('separation.preflightNamespace: required, because the configuration is by namespace');
    }
    this.#options = options;
  }

  connect(namespace: NamespaceId, signal: AbortSignal, credentials?: Credentials): Promise<Client> {
    const { separation } = this.#options;
    return this.#open(namespace, signal, {
      credentials,
      prepare: async (client) => {
        if (separation?.type === 'row_level_security') {
          await checkLogin(client, namespace, separation);
        }
      },
    });
  }

  /**
   * Whether the server separates tenants as `separation` says. Resolves to what an operator should be told nevertheless.
   *
   * @throws {RowLevelSecurityError} with everything that is wrong
   */
  async preflight(): Promise<readonly string[]> {
    const { separation } = this.#options;
    if (separation?.type !== 'row_level_security') {
      return [];
    }
    const namespace = separation.preflightNamespace ?? PREFLIGHT_NAMESPACE;
    const client = await this.#open(namespace, AbortSignal.timeout(PREFLIGHT_TIMEOUT_MS));
    try {
      const { warnings } = await preflightRowLevelSecurity(client, { ...separation, namespace });
      return warnings;
    } finally {
      await this.close(client);
    }
  }

  /** @throws {TypeError} without a `separation` */
  scope(client: Client, namespace: NamespaceId, context: ScopeContext): ScopedPostgres {
    const { separation, maxRows = DEFAULT_MAX_ROWS } = this.#options;
    if (separation === undefined) {
      throw new TypeError('PostgresDriver: scoped clients need the option separation');
    }
    return new ScopedPostgres({ client, namespace, context, separation, maxRows });
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

  async #open(namespace: NamespaceId, signal: AbortSignal, { credentials, prepare }: Opening = {}): Promise<Client> {
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
      await prepare?.(client);
      return client;
    } catch (error) {
      await this.close(client);
      if (!isShared && concernsNamespace(error)) {
        this.#namespaceFailures.add(error);
      }
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}

interface Opening {
  readonly credentials?: Credentials;
  /** What has to succeed before the connection is anybody's. */
  readonly prepare?: (client: Client) => Promise<void>;
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

/** Whether the reason lies in credentials, so that it says nothing about the server when they are not everybody's. */
function concernsNamespace(error: unknown): error is Error {
  if (error instanceof DatabaseError) {
    return NAMESPACE_STATES.some((state) => error.code?.startsWith(state));
  }
  return error instanceof RowLevelSecurityError;
}
