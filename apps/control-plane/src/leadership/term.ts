import { Logger } from '@nestjs/common';
import { pause } from '@palisade/async';
import { LeaseLostError, type HeldLease } from '@palisade/domain';
import type { LeaderDuty, LeaderTerm } from './leader-duty.js';

const RESTART_PAUSE_MS = 1000;

/** A term with its duties, from the election until {@link end}. Its signal aborts by itself at the deadline. */
export class Term implements LeaderTerm {
  private readonly logger = new Logger(Term.name);
  private readonly ending = new AbortController();
  private readonly duties: Promise<unknown>;
  private deadlineTimer: NodeJS.Timeout | undefined;

  /** @param deadline by `performance.now()` */
  constructor(
    private held: HeldLease,
    private deadline: number,
    duties: readonly LeaderDuty[],
  ) {
    this.extend(held, deadline);
    this.duties = Promise.all(duties.map((duty) => this.keepRunning(duty)));
  }

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  lease(): HeldLease {
    if (performance.now() >= this.deadline) {
      this.ending.abort();
    }
    if (this.signal.aborted) {
      throw new LeaseLostError(this.held.name, this.held.epoch);
    }
    return this.held;
  }

  isHeld(): boolean {
    return performance.now() < this.deadline;
  }

  isOfAnotherEpoch(lease: HeldLease): boolean {
    return lease.epoch !== this.held.epoch;
  }

  extend(lease: HeldLease, deadline: number): void {
    this.held = lease;
    this.deadline = deadline;
    clearTimeout(this.deadlineTimer);
    this.deadlineTimer = setTimeout(() => this.ending.abort(), deadline - performance.now()).unref();
  }

  /** From now on another replica may lead. */
  revoke(): void {
    this.deadline = -Infinity;
  }

  /** Resolves when all duties have ended. */
  async end(): Promise<void> {
    clearTimeout(this.deadlineTimer);
    this.ending.abort();
    await this.duties;
  }

  /** Never rejects. */
  private async keepRunning(duty: LeaderDuty): Promise<void> {
    while (!this.signal.aborted) {
      try {
        await duty.run(this);
      } catch (error) {
        if (!(error instanceof LeaseLostError) && !this.signal.aborted) {
          this.logger.error(`${duty.name} failed; starting it again`, error);
        }
      }
      await pause(RESTART_PAUSE_MS, this.signal);
    }
  }
}
