import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { Backoff, pause } from '@palisade/async';
import { type Store, StoreUnavailableError } from '@palisade/domain';

const RETRY_DELAYS = { minMs: 500, maxMs: 2000, random: Math.random };
const RETRY_AFTER_SECONDS = 1;

/**
 * Brings the store's schema up to date. An unreachable database does not keep the service from starting: the service is live
 * but not ready, and preparing is retried; the log has each reason once, and the recovery. Any other failure of the first
 * attempt, such as missing rights, stops the start. Closes the store last, and waits for its operations no longer than a grace.
 */
export class StorePreparation implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private readonly logger = new Logger(StorePreparation.name);
  private readonly stopping = new AbortController();
  private isDone = false;
  private lastFailure: string | undefined;
  private retries: Promise<void> | undefined;
  private readonly abandoned = Promise.withResolvers<void>();

  /** @param complete adds to the store what the service needs to work */
  constructor(
    private readonly store: Store,
    private readonly complete: () => Promise<void> = async () => {},
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.attempt();
    if (!this.isDone) {
      this.retries = this.keepTrying();
    }
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.race([this.retries, this.abandoned.promise]);
    const cutOff = await this.store.close();
    if (cutOff > 0) {
      this.logger.warn(`${cutOff} operations of the store were still under way and have been cut off`);
    }
  }

  /** Ends operations that are under way, since nobody can wait for them any longer. */
  abandon(): void {
    this.stopping.abort();
    this.abandoned.resolve();
    // Resolves later also for `onApplicationShutdown`, which reports what was cut off.
    void this.store.close(0);
  }

  /** @throws {StoreUnavailableError} unless the store can be used now */
  async check(): Promise<void> {
    if (!this.isDone) {
      throw new StoreUnavailableError(RETRY_AFTER_SECONDS);
    }
    await this.store.check();
  }

  /** What a caller of `/health/ready` should know, though the service can serve reads. */
  notices(): Readonly<Record<string, string>> {
    const since = this.store.writesFailingSince();
    return since === undefined ? {} : { writes: `failing since ${since.toISOString()}` };
  }

  private async keepTrying(): Promise<void> {
    const { signal } = this.stopping;
    const backoff = new Backoff(RETRY_DELAYS);
    while (!this.isDone && !signal.aborted) {
      await pause(backoff.next(), signal);
      if (!signal.aborted) {
        await this.attempt().catch((error: unknown) => this.noteFailure('the store cannot be prepared', error));
      }
    }
  }

  private async attempt(): Promise<void> {
    try {
      await this.store.migrate();
      await this.complete();
      this.isDone = true;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) {
        throw error;
      }
      this.noteFailure('the store is unavailable', error);
      return;
    }
    if (this.lastFailure !== undefined) {
      this.logger.log('the store is available, and its schema is current');
    }
  }

  private noteFailure(what: string, error: unknown): void {
    if (this.lastFailure !== what) {
      this.lastFailure = what;
      this.logger.warn(`${what}, retrying`, error);
    }
  }
}
