import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { pause } from '@palisade/async';
import { Store, StoreUnavailableError } from '@palisade/domain';

const LEASE = 'log-sealer';
const LEASE_TTL_MS = 10_000;
const RENEW_AFTER_MS = 2500;
/** Between two looks when there was nothing to seal. */
const IDLE_MS = 250;
/** Between two batches, so that records that come one by one are sealed together. */
const BATCH_MS = 100;
const RETRY_MS = 1000;
const FULL_BATCH = 1000;

/**
 * Gives records their positions, in whichever process holds the lease. The lease only keeps the others from trying as well:
 * the store itself lets only one of two succeed, so that nothing depends on anybody's clock.
 */
@Injectable()
export class LogSealer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(LogSealer.name);
  private readonly holder = randomUUID();
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private isHolder = false;
  private renewAtMs = 0;
  private isFailing = false;

  constructor(private readonly store: Store) {}

  onApplicationBootstrap(): void {
    this.running = this.run(this.stopping.signal);
  }

  /** Gives the lease up, so that another process need not wait for it to run out. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
    if (this.isHolder) {
      await this.store.leases.release(LEASE, this.holder).catch(() => false);
    }
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(await this.round(), signal);
    }
  }

  /** After how many milliseconds the next round is due. */
  private async round(): Promise<number> {
    try {
      if (!(await this.holdsLease())) {
        return RENEW_AFTER_MS;
      }
      const sealed = await this.store.log.seal();
      this.isFailing = false;
      return sealed === 0 ? IDLE_MS : sealed < FULL_BATCH ? BATCH_MS : 0;
    } catch (error) {
      this.warnOnce(error);
      return RETRY_MS;
    }
  }

  private async holdsLease(): Promise<boolean> {
    const nowMs = performance.now();
    if (nowMs >= this.renewAtMs) {
      const { holder } = await this.store.leases.acquire(LEASE, this.holder, LEASE_TTL_MS);
      this.isHolder = holder === this.holder;
      this.renewAtMs = nowMs + RENEW_AFTER_MS;
    }
    return this.isHolder;
  }

  /** Readiness and metrics tell of an unreachable store already. */
  private warnOnce(error: unknown): void {
    if (!this.isFailing && !(error instanceof StoreUnavailableError)) {
      this.logger.error('records of the log could not be sealed; they wait', error);
    }
    this.isFailing = true;
  }
}
