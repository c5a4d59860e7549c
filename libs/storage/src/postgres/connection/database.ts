import { setTimeout as sleep } from 'node:timers/promises';
import { Backoff } from '@palisade/async';
import {
  StoreUnavailableError,
  type NamespaceId,
  type OperationListener,
  type ProviderId,
  type StoreConnections,
} from '@palisade/domain';
import type { NamespacePools } from '@palisade/isolation/postgres';
import type { Client } from 'pg';
import { acquireTraced } from './tracing.js';
import { DEFAULT_ACQUIRE_TIMEOUT_MS, SERVICE, createPools, namespaceOf } from './connection-pools.js';
import { PreparingClient } from './prepared-statements.js';
import { connectionOn, type Connection } from './kysely-connection.js';
import type { PostgresOptions } from './postgres-options.js';
import { Shortage } from './shortage.js';
import { isTransactionConflict, toProviderBusy, toStoreError } from './store-error.js';

export type { Connection };

/** Where operations run: on connections of one provider, or of the service itself. */
export interface Connections {
  /**
   * Runs statements without a transaction: work that changes something must be a single statement.
   *
   * @throws {StoreUnavailableError}
   * @throws {ProviderBusyError} when the provider has too much under way
   */
  run<T>(work: (connection: Connection) => Promise<T>): Promise<T>;

  /**
   * Runs statements as one transaction (read committed): all of them take effect, or none when `work` throws.
   *
   * @throws {StoreUnavailableError}
   * @throws {ProviderBusyError} when the provider has too much under way
   */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}

type Work<T> = (connection: Connection) => Promise<T>;

const MAX_ATTEMPTS = 5;
const CONFLICT_DELAYS = { minMs: 20, maxMs: 160, random: Math.random };
const RETRY_AFTER_CLOSE_SECONDS = 5;
const RETRY_AFTER_HANG_SECONDS = 5;
/** A connection without an answer for so long, or for half of the time that operations may wait, is taken to hang. */
const MAX_SILENCE_MS = 10_000;
const DEFAULT_CLOSE_GRACE_MS = 5_000;

/**
 * The connections to one database, a pool for each provider and one for the service itself, under one hard cap. `run` and
 * `transaction` of this object itself serve the service: health, credentials, administration. `work` must never ask for a
 * second connection: it could wait for itself.
 *
 * Work that loses against other transactions (serialization failure, deadlock) is retried, up to five times, so it must not
 * have effects elsewhere.
 */
export class Database implements Connections {
  private readonly pools: NamespacePools<Client>;
  private readonly isShared: boolean;
  private readonly listeners: OperationListener[] = [];
  private readonly leased = new Map<Client, NamespaceId>();
  private readonly maxSilenceMs: number;
  private readonly shortage = new Shortage();
  private underWay = 0;
  private readonly quiet = Promise.withResolvers<void>();
  private readonly graceEnded = Promise.withResolvers<void>();
  private closing: Promise<number> | undefined;

  /** @param url `postgres://user:password@host:port/database` */
  constructor(url: string, options: PostgresOptions = {}) {
    this.pools = createPools(url, options);
    this.isShared = options.isolationLevel === 'none';
    this.maxSilenceMs = Math.min(MAX_SILENCE_MS, (options.acquireTimeoutMs ?? DEFAULT_ACQUIRE_TIMEOUT_MS) / 2);
  }

  /** The connections of a provider. */
  of(provider: ProviderId): Connections {
    const namespace = namespaceOf(provider);
    const owner = this.isShared ? undefined : provider;
    return {
      run: (work) => this.attempt(work, namespace, owner),
      transaction: (work) => this.attempt((connection) => connection.transaction().execute(work), namespace, owner),
    };
  }

  run<T>(work: Work<T>): Promise<T> {
    return this.attempt(work, SERVICE);
  }

  transaction<T>(work: Work<T>): Promise<T> {
    return this.attempt((connection) => connection.transaction().execute(work), SERVICE);
  }

  /** All connections together. */
  connections(): StoreConnections {
    const { active, idle, opening, closing, maxTotal, queued, counters } = this.pools.snapshot();
    return { active, idle, opening, closing, max: maxTotal, waiting: queued, totals: counters };
  }

  /** Since when the server has been short of disk or memory. */
  writesFailingSince(): Date | undefined {
    return this.shortage.since();
  }

  /** Calls the listener after each operation with the time for which it held a connection. */
  onOperationEnded(listener: OperationListener): void {
    this.listeners.push(listener);
  }

  /** @throws {StoreUnavailableError} when most of the connections that there may be hang */
  requireAnswers(): void {
    const hanging = [...this.leased.keys()].filter((client) => this.isHanging(client)).length;
    const { maxTotal } = this.pools.snapshot();
    if (hanging * 2 > maxTotal) {
      const cause = new Error(`${hanging} of ${maxTotal} connections have had no answer for ${this.maxSilenceMs} ms`);
      throw new StoreUnavailableError(RETRY_AFTER_HANG_SECONDS, { cause });
    }
  }

  /**
   * Accepts no new work, waits for what is under way until the grace ends, then closes every connection. A later call can
   * shorten the grace.
   *
   * @returns how many operations were cut off
   */
  async close(graceMs = DEFAULT_CLOSE_GRACE_MS): Promise<number> {
    const timer = setTimeout(this.graceEnded.resolve, graceMs);
    this.closing ??= this.closeOnce();
    try {
      return await this.closing;
    } finally {
      clearTimeout(timer);
    }
  }

  private async closeOnce(): Promise<number> {
    if (this.underWay > 0) {
      // The pools themselves would reject operations that have no connection yet.
      await Promise.race([this.quiet.promise, this.graceEnded.promise]);
    }
    const cutOff = this.underWay;
    await this.pools.destroy();
    return cutOff;
  }

  private isHanging(client: Client): boolean {
    return client instanceof PreparingClient && client.unansweredMs >= this.maxSilenceMs;
  }

  /** Whether all connections that are in use in the namespace hang, so that not its load makes others wait. */
  private doAllHang(namespace: NamespaceId): boolean {
    const own = [...this.leased].filter(([, user]) => user === namespace);
    return own.length > 0 && own.every(([client]) => this.isHanging(client));
  }

  private async attempt<T>(work: Work<T>, namespace: NamespaceId, provider?: ProviderId): Promise<T> {
    if (this.closing) {
      throw new StoreUnavailableError(RETRY_AFTER_CLOSE_SECONDS, { cause: new Error('the store is closed') });
    }
    this.underWay += 1;
    try {
      return await this.repeatOnConflict(work, namespace);
    } catch (error) {
      this.shortage.note(error);
      const busy = provider && toProviderBusy(error, provider);
      throw busy === undefined || this.doAllHang(namespace) ? toStoreError(error) : busy;
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0 && this.closing) {
        this.quiet.resolve();
      }
    }
  }

  private async repeatOnConflict<T>(work: Work<T>, namespace: NamespaceId): Promise<T> {
    const backoff = new Backoff(CONFLICT_DELAYS);
    for (let attempt = 1; ; attempt++) {
      const lease = await acquireTraced(this.pools, namespace);
      const { connection } = lease;
      const startedAt = performance.now();
      this.leased.set(connection, namespace);
      try {
        return await work(connectionOn(connection));
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isTransactionConflict(error)) {
          throw error;
        }
      } finally {
        this.leased.delete(connection);
        lease.release();
        this.tell(performance.now() - startedAt);
      }
      await sleep(backoff.next());
    }
  }

  private tell(durationMs: number): void {
    for (const listener of this.listeners) {
      listener(durationMs);
    }
  }
}
