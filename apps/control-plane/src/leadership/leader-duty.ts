import { Logger } from '@nestjs/common';
import { pause } from '@palisade/async';
import { StoreUnavailableError, type HeldLease } from '@palisade/domain';

/** The time from an election until leadership is lost or given up. */
export interface LeaderTerm {
  /** Aborts when the term ends: work under way must stop, and must not write anything any more. */
  readonly signal: AbortSignal;

  /**
   * The current proof of leadership; pass it with each write.
   *
   * @throws {LeaseLostError} when the term is over
   */
  lease(): HeldLease;

  /**
   * Whether no other replica can lead yet. After leadership was given up this stays true for a while: time to finish what
   * must not be left half done.
   */
  isHeld(): boolean;
}

/** Work that only one replica may do at a time. Assign it to {@link Leadership}. */
export abstract class LeaderDuty {
  /** For logs and metrics. */
  abstract readonly name: string;

  /**
   * Works until the term ends, and resolves when everything that it started has ended. When it rejects within the term, it
   * is called again after a pause.
   */
  abstract run(term: LeaderTerm): Promise<void>;
}

/** A duty that does the same again and again. */
export abstract class PeriodicDuty extends LeaderDuty {
  protected readonly logger = new Logger(this.constructor.name);

  /**
   * Does one round of work after the other until the signal aborts. While the store is unreachable a round changes nothing:
   * that is logged once per outage, and the next round tries again.
   *
   * @param wait the milliseconds between two rounds, or resolves when the next one is due
   */
  protected async repeat(
    signal: AbortSignal,
    round: () => Promise<void>,
    wait: number | (() => Promise<void>),
  ): Promise<void> {
    let isStoreReachable = true;
    while (!signal.aborted) {
      try {
        await round();
        isStoreReachable = true;
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        if (!(error instanceof StoreUnavailableError)) {
          throw error;
        }
        if (isStoreReachable) {
          this.logger.warn(`${this.name}: the store is unreachable; trying again`, error);
        }
        isStoreReachable = false;
      }
      await (typeof wait === 'number' ? pause(wait, signal) : wait());
    }
  }
}
