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
import { SERVICE, createPools, namespaceOf } from './connection-pools.js';
import { connectionOn, type Connection } from './kysely-connection.js';
import type { PostgresOptions } from './postgres-options.js';
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
  private underWay = 0;
  private readonly quiet = Promise.withResolvers<void>();
  private closing: Promise<void> | undefined;

  /** @param url `postgres://user:password@host:port/database` */
  constructor(url: string, options: PostgresOptions = {}) {
    this.pools = createPools(url, options);
    this.isShared = options.isolationLevel === 'none';
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

  /** Calls the listener after each operation with the time for which it held a connection. */
  onOperationEnded(listener: OperationListener): void {
    this.listeners.push(listener);
  }

  /** Accepts no new work, waits for what is under way, then closes every connection. */
  close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  private async closeOnce(): Promise<void> {
    if (this.underWay > 0) {
      // The pools themselves would refuse those that have no connection yet.
      await this.quiet.promise;
    }
    await this.pools.destroy();
  }

  private async attempt<T>(work: Work<T>, namespace: NamespaceId, provider?: ProviderId): Promise<T> {
    if (this.closing) {
      throw new StoreUnavailableError(RETRY_AFTER_CLOSE_SECONDS, { cause: new Error('the store is closed') });
    }
    this.underWay += 1;
    try {
      return await this.repeatOnConflict(work, namespace);
    } catch (error) {
      throw (provider && toProviderBusy(error, provider)) ?? toStoreError(error);
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
      const startedAt = performance.now();
      try {
        return await work(connectionOn(lease.connection));
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isTransactionConflict(error)) {
          throw error;
        }
      } finally {
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
