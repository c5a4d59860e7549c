import { onAbort } from '@palisade/async';
import type { ClientConfig } from 'pg';
import { mainNamespace, type TenantNamespace } from '../../tenant-namespace.js';
import { Client, DatabaseError } from './pg-package.js';
import type { ScopeContext } from '../backend-driver.js';
import { type ConfigOf, ConfiguredDriver } from '../configured-driver.js';
import { cancelStatements } from './cancel-statements.js';
import { forgetStatements, stateOf } from './client-state.js';
import { withCredentials } from './credentials.js';
import { RowLevelSecurityError } from './postgres.errors.js';
import { checkLogin } from './row-level-security/role-problems.js';
import { PREFLIGHT_TENANT, preflightRowLevelSecurity } from './row-level-security/preflight.js';
import { ScopedPostgres } from './scoped/scoped-postgres.js';
import { breakSilence, withSilenceLimit } from './silence.js';
import { type PostgresSeparation, TENANT_SETTING, tenantValue } from './separation.js';

export interface PostgresDriverOptions {
  /** How to connect: the same for all, or by tenant and namespace. TLS is its `ssl`. */
  readonly config: ConfigOf<ClientConfig>;
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
  /** How namespaces are kept apart on the server. Without it there are leases, but no scoped clients. */
  readonly separation?: PostgresSeparation;
  /** Rows that one statement of a scoped client may return. Default 10,000. */
  readonly maxRows?: number;
  /**
   * How long the server may take for one statement (`statement_timeout`); 0 for no limit. Default 30,000 with a
   * `separation`, no limit without.
   */
  readonly statementTimeoutMs?: number;
  /** How long a statement may wait for a lock (`lock_timeout`). Default 5,000 with a `separation`, no limit without. */
  readonly lockTimeoutMs?: number;
  /**
   * How much longer than the server may take a scoped client waits for an answer. Then the path to the server is dead, or
   * SQL has lifted the server's limit, and the connection is given up. Default 2,000.
   */
  readonly answerMarginMs?: number;
  /**
   * The server closes a connection of which it has heard nothing for so long: that of a process which was stopped. A process
   * that runs lets it hear of the connections that it keeps. Needs PostgreSQL 14, and no pooler in between that rejects
   * settings. Default 0: the server keeps them. To be set where a cap holds for several processes together.
   */
  readonly silenceMs?: number;
  /** How long a connection may take to say goodbye before its socket is destroyed. Default 1,000. */
  readonly closeTimeoutMs?: number;
  /** For a Client of one's own. */
  readonly createClient?: (config: ClientConfig) => Client;
}

const DEFAULT_CLOSE_TIMEOUT_MS = 1000;
const DEFAULT_MAX_ROWS = 10_000;
const DEFAULT_STATEMENT_TIMEOUT_MS = 30_000;
const DEFAULT_LOCK_TIMEOUT_MS = 5_000;
const DEFAULT_ANSWER_MARGIN_MS = 2_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const PREFLIGHT_TIMEOUT_MS = 30_000;

/** SQLSTATEs that concern who connects to what: invalid authorization, and a database that does not exist. */
const LOGIN_STATES = ['28', '3D000'];

/**
 * PostgreSQL connections, each a `Client` of `pg`. With row-level security, no connection is made whose role could see past
 * the policies.
 */
export class PostgresDriver extends ConfiguredDriver<ClientConfig, Client, ScopedPostgres> {
  protected readonly withCredentials = withCredentials;
  readonly #options: PostgresDriverOptions;
  readonly #statementTimeoutMs: number;
  readonly #lockTimeoutMs: number;
  readonly #silenceMs: number;

  /** @throws {TypeError} when the preflight would not know which role to log in as */
  constructor(options: PostgresDriverOptions) {
    const { separation, config } = options;
    const isByTenant = typeof config === 'function';
    if (separation?.type === 'row_level_security' && isByTenant && separation.preflightTenant === undefined) {
      throw new TypeError('separation.preflightTenant: required, because the configuration is by tenant');
    }
    super(config);
    this.#options = options;
    const hasTenants = separation !== undefined;
    this.#statementTimeoutMs = options.statementTimeoutMs ?? (hasTenants ? DEFAULT_STATEMENT_TIMEOUT_MS : 0);
    this.#silenceMs = options.silenceMs ?? 0;
    this.#lockTimeoutMs = options.lockTimeoutMs ?? (hasTenants ? DEFAULT_LOCK_TIMEOUT_MS : 0);
  }

  /**
   * Checks whether the server separates tenants as `separation` says. Resolves to what an operator should know although
   * it is no problem.
   *
   * @throws {RowLevelSecurityError} with everything that is wrong
   */
  async preflight(): Promise<readonly string[]> {
    const { separation } = this.#options;
    if (separation?.type !== 'row_level_security') {
      return [];
    }
    const tenantId = separation.preflightTenant ?? PREFLIGHT_TENANT;
    const owner = { tenantId, namespace: mainNamespace(tenantId) };
    const config = this.#asOwner(this.configOf(owner), owner);
    const client = await this.#logIn(config, AbortSignal.timeout(PREFLIGHT_TIMEOUT_MS));
    try {
      const { warnings } = await preflightRowLevelSecurity(client, { ...separation, tenantId });
      return warnings;
    } finally {
      await this.close(client);
    }
  }

  /** @throws {TypeError} without a `separation` */
  protected scopeFor(client: Client, owner: TenantNamespace, context: ScopeContext): ScopedPostgres {
    const { separation, maxRows = DEFAULT_MAX_ROWS, answerMarginMs = DEFAULT_ANSWER_MARGIN_MS } = this.#options;
    if (separation === undefined) {
      throw new TypeError('PostgresDriver: scoped clients need the option separation');
    }
    const answerTimeoutMs = this.#statementTimeoutMs === 0 ? Infinity : this.#statementTimeoutMs + answerMarginMs;
    return new ScopedPostgres({ client, owner, context, separation, maxRows, answerTimeoutMs });
  }

  /** A statement may run for as long as it may, and then the connection be silent. Undefined while nothing bounds both. */
  get holdMs(): number | undefined {
    const isBounded = this.#silenceMs > 0 && this.#statementTimeoutMs > 0;
    return isBounded ? this.#statementTimeoutMs + this.#silenceMs : undefined;
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

  protected async open(config: ClientConfig, owner: TenantNamespace, signal: AbortSignal): Promise<Client> {
    const { separation } = this.#options;
    return this.#logIn(this.#asOwner(config, owner), signal, async (client) => {
      if (separation?.type === 'row_level_security') {
        await checkLogin(client, owner.tenantId, separation);
      }
    });
  }

  protected isRejectedLogin(error: unknown): boolean {
    return error instanceof DatabaseError
      ? LOGIN_STATES.some((state) => error.code?.startsWith(state))
      : error instanceof RowLevelSecurityError;
  }

  /**
   * In the mode `role` the connection sees the rows of its namespace from the beginning, and again after each lease. In the
   * mode `setting` it sees none, as all namespaces may have the connection.
   */
  #asOwner(config: ClientConfig, owner: TenantNamespace): ClientConfig {
    const { separation } = this.#options;
    return separation?.type === 'row_level_security' && separation.mode === 'role'
      ? { ...config, options: `${config.options ?? ''} -c ${TENANT_SETTING}=${tenantValue(owner)}`.trim() }
      : config;
  }

  /** What the configuration itself says comes first. */
  #withLimits(config: ClientConfig): ClientConfig {
    return {
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      ...(this.#statementTimeoutMs > 0 && { statement_timeout: this.#statementTimeoutMs }),
      ...(this.#lockTimeoutMs > 0 && { lock_timeout: this.#lockTimeoutMs }),
      ...(this.#silenceMs > 0 ? withSilenceLimit(config, this.#silenceMs) : config),
    };
  }

  /** @param check what has to succeed before the connection is anybody's */
  async #logIn(config: ClientConfig, signal: AbortSignal, check?: (client: Client) => Promise<void>): Promise<Client> {
    const { createClient = createPlainClient } = this.#options;
    const client = createClient(this.#withLimits(config));
    // Without a listener the 'error' event would end the process; those who need to know listen for 'end'.
    client.on('error', () => {});
    using _ = onAbort(signal, () => client.connection.stream.destroy());
    try {
      await client.connect();
      if (this.#silenceMs > 0) {
        breakSilence(client, this.#silenceMs);
      }
      await check?.(client);
      return client;
    } catch (error) {
      await this.close(client);
      throw error;
    }
  }
}

function createPlainClient(config: ClientConfig): Client {
  return new Client(config);
}

/** Rejects inside a transaction, where the server cannot discard. */
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
