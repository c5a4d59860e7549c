import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Store, StoreUnavailableError, type TenantChanges } from '@palisade/domain';
import { StorePreparation } from '@palisade/platform';
import { pause } from '@palisade/async';
import { RoutingTable } from './routing-table.js';

/** What has changed; it is in the table already. A tenant that changed several times is there once, as it is now. */
export interface RegistryChange extends Pick<TenantChanges, 'revision' | 'changed' | 'removed'> {
  /** False when more follows at once: until then the table may show two tenants with the same namespace. */
  readonly isCurrent: boolean;
}
export type RegistryListener = (change: RegistryChange) => void;

const PAGE_SIZE = 1000;
/** A statement without a result, on one connection: well below 1 % of a core for ten a second. */
const POLL_INTERVAL_MS = 100;
const MAX_POLL_INTERVAL_MS = 4000;
const RETRY_AFTER_SECONDS = 1;

/**
 * Keeps the routing table as the store has the tenants: loads all of them at the start, then asks for changes ten times
 * a second, so that what one replica changes all know, and can tell their proxies, within a quarter of a second. While the store is unreachable the table stays as
 * it is, and the store is asked less and less often: every four seconds in the end.
 */
@Injectable()
export class Registry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Registry.name);
  private readonly stopping = new AbortController();
  private readonly listeners = new Set<RegistryListener>();
  private polling: Promise<void> | undefined;
  private reading: Promise<void> | undefined;
  private readingNext: Promise<void> | undefined;
  private hasLoaded = false;
  private hasToldAll = false;
  /** False until the table has been loaded, first or again. */
  private isTableContinued = false;
  private failure: unknown;

  constructor(
    private readonly store: Store,
    private readonly preparation: StorePreparation,
    readonly table: RoutingTable,
  ) {}

  onApplicationBootstrap(): void {
    this.polling = this.poll();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.polling;
  }

  /** Calls the listener after each change, and for what is loaded at the start. It must return quickly. */
  onChange(listener: RegistryListener): void {
    this.listeners.add(listener);
  }

  /**
   * The table with every change that was made before the call, on whatever replica; while the store is
   * unreachable, as it was last read.
   *
   * @throws {StoreUnavailableError} when nothing has been loaded yet
   */
  async current(): Promise<RoutingTable> {
    return this.failure === undefined || !this.hasLoaded ? this.caughtUp() : this.table;
  }

  /**
   * Like {@link current}, but asks the store even if it was unreachable a moment ago: for callers that have changed
   * something in it.
   *
   * @throws {StoreUnavailableError} when nothing has been loaded yet
   */
  async caughtUp(): Promise<RoutingTable> {
    await this.refresh().catch((error: unknown) => this.tolerate(error));
    return this.table;
  }

  /**
   * A caller right after the start waits for the first reading to end.
   *
   * @throws {StoreUnavailableError} unless the table is up to date
   */
  async check(): Promise<void> {
    if (!this.hasLoaded) {
      await this.reading?.catch(ignore);
    }
    if (!this.hasLoaded || this.failure !== undefined) {
      throw new StoreUnavailableError(RETRY_AFTER_SECONDS, { cause: this.failure });
    }
  }

  /** Reads what has changed. A call during a reading waits for the next one, as the current one may miss a change. */
  private refresh(): Promise<void> {
    if (this.reading === undefined) {
      return this.startReading();
    }
    this.readingNext ??= this.reading.catch(ignore).then(() => {
      this.readingNext = undefined;
      return this.startReading();
    });
    return this.readingNext;
  }

  private startReading(): Promise<void> {
    const reading = this.read().finally(() => {
      this.reading = undefined;
    });
    this.reading = reading;
    return reading;
  }

  private async read(): Promise<void> {
    try {
      // While it is read, reading shows that the store works; requests wait for two readings, so each has one statement.
      if (!this.hasLoaded || this.failure !== undefined) {
        await this.preparation.check();
      }
      await this.readChanges();
    } catch (error) {
      this.note(error);
      throw error;
    }
    this.hasLoaded = true;
    this.note(undefined);
  }

  private async readChanges(): Promise<void> {
    for (let hasMore = true; hasMore && !this.stopping.signal.aborted;) {
      const changes = await this.store.tenants.changesSince(this.table.revision, PAGE_SIZE);
      ({ hasMore } = changes);
      if (changes.revision < this.table.revision) {
        // Only a store that was restored to an earlier state goes back.
        this.logger.warn('the store has become an earlier one; all tenants are loaded again');
        this.tell({ revision: 0, changed: [], removed: this.table.clear(), isCurrent: false });
        this.isTableContinued = false;
        hasMore = true;
      } else if (changes.revision !== this.table.revision) {
        this.table.apply(changes);
        this.tell({ ...changes, isCurrent: !hasMore });
      }
    }
    if (!this.isTableContinued) {
      this.isTableContinued = true;
      this.table.admitAll();
    }
    if (!this.hasToldAll && !this.stopping.signal.aborted) {
      this.tell({ revision: this.table.revision, changed: [], removed: [], isCurrent: true });
    }
  }

  private tell({ revision, changed, removed, isCurrent }: RegistryChange): void {
    this.hasToldAll = isCurrent;
    for (const listener of this.listeners) {
      try {
        listener({ revision, changed, removed, isCurrent });
      } catch (error) {
        this.logger.error('a listener of the registry failed', error);
      }
    }
  }

  private async poll(): Promise<void> {
    const { signal } = this.stopping;
    let intervalMs = POLL_INTERVAL_MS;
    while (!signal.aborted) {
      await this.refresh().catch(ignore);
      intervalMs = this.failure === undefined ? POLL_INTERVAL_MS : Math.min(intervalMs * 2, MAX_POLL_INTERVAL_MS);
      await pause(intervalMs, signal);
    }
  }

  /** Logs the first of successive failures, and when reading works again. */
  private note(failure: unknown): void {
    if (failure !== undefined && this.failure === undefined) {
      this.logger.warn('tenants cannot be read from the store; routing stays as it was', failure);
    } else if (failure === undefined && this.failure !== undefined) {
      this.logger.log('tenants are read from the store again');
    }
    this.failure = failure;
  }

  private tolerate(error: unknown): void {
    if (!(error instanceof StoreUnavailableError) || !this.hasLoaded) {
      throw error;
    }
  }
}

/** The failure reaches those who wait for the reading, and {@link Registry} has noted it. */
function ignore(): void {}
