import { setTimeout } from 'node:timers/promises';
import { StoreUnavailableError } from '@palisade/domain';
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type { Tables } from '../schema/tables.js';
import { isTransactionConflict, toStoreError } from './store-error.js';

/** What statements run on: the pool, where each is a transaction of its own, or one transaction. */
export type Connection = Kysely<Tables>;

const MAX_ATTEMPTS = 5;
const MAX_BACKOFF_MS = 40;
const RETRY_AFTER_CLOSE_SECONDS = 5;

/**
 * The connections to one database. Work that loses against other transactions (serialization failure, deadlock) is
 * repeated, up to five times, so it must not have effects elsewhere.
 */
export class Database {
  private readonly kysely: Connection;
  private readonly underWay = new Set<Promise<unknown>>();
  private closing: Promise<void> | undefined;

  constructor(private readonly pool: Pool) {
    this.kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  }

  /**
   * Runs statements each on its own: one that changes something must be the only one.
   *
   * @throws {StoreUnavailableError}
   */
  run<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.attempt(() => work(this.kysely));
  }

  /**
   * Runs statements as one transaction (read committed): all of them take effect, or none when `work` throws.
   *
   * @throws {StoreUnavailableError}
   */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.attempt(() => this.kysely.transaction().execute(work));
  }

  /** Accepts no new work, waits for what is under way, then closes every connection. */
  close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  private async closeOnce(): Promise<void> {
    // The pool itself would leave those waiting that have no connection yet.
    await Promise.allSettled(this.underWay);
    await this.pool.end();
  }

  private async attempt<T>(work: () => Promise<T>): Promise<T> {
    if (this.closing) {
      throw new StoreUnavailableError(RETRY_AFTER_CLOSE_SECONDS, { cause: new Error('the store is closed') });
    }
    const operation = repeatOnConflict(work);
    this.underWay.add(operation);
    try {
      return await operation;
    } finally {
      this.underWay.delete(operation);
    }
  }
}

async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isTransactionConflict(error)) {
        throw toStoreError(error);
      }
      await setTimeout(Math.random() * MAX_BACKOFF_MS * attempt);
    }
  }
}
