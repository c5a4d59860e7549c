import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { pause } from '@palisade/async';
import type { HeldLease, LeaseStore } from '@palisade/domain';
import type { LeaderDuty } from './leader-duty.js';
import { Term } from './term.js';

export interface LeadershipOptions {
  /** Name of the lease. */
  readonly name: string;
  /** Identifies this replica; no other replica may have the same. */
  readonly holder: string;
  /** How long a leader that has vanished keeps others waiting. 1,000 to 60,000. */
  readonly ttlMs: number;
  /** Whether this replica stands for election at all. */
  readonly mayLead: boolean;
}

/** A term ends this much earlier than its lease, by this replica's clock: others may be a little ahead. */
const SAFETY_SHARE = 0.2;
const ATTEMPTS_PER_TTL = 4;
/** A lease store may hang. Shutdown waits no longer than this for it: leases run out by themselves. */
const GIVE_UP_WITHIN_MS = 2000;

/**
 * Elects one replica among those that share the leases, and has it do its duties.
 *
 * A term begins when this replica holds every lease, and lasts while it renews them. It ends, at the latest, before
 * another replica can hold them: by the time of the attempt, not of its answer. A new term begins only after all duties of
 * the last one have ended, so that no duty ever runs twice in one process.
 */
export class Leadership implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Leadership.name);
  private readonly duties: LeaderDuty[] = [];
  private readonly stopping = new AbortController();
  private campaign: Promise<void> | undefined;
  private isCutOff = false;
  private term: Term | undefined;
  private begun = 0;

  private readonly leases: LeaseStore[];

  /** @param leases at least one; the last one is the one that proves leadership to the store */
  constructor(
    leases: readonly LeaseStore[],
    private readonly options: LeadershipOptions,
  ) {
    this.leases = [...leases];
  }

  get isLeader(): boolean {
    return this.term !== undefined && !this.term.signal.aborted;
  }

  /** The number of terms that this replica has begun; it never decreases. */
  get terms(): number {
    return this.begun;
  }

  /** Has the leader do this. Call it before the application starts. */
  assign(duty: LeaderDuty): void {
    this.duties.push(duty);
  }

  /** Makes leadership depend on one more lease, taken before the others. Call it before the application starts. */
  alsoHold(leases: LeaseStore): void {
    this.leases.unshift(leases);
  }

  /** The replica that leads now, this one or another; undefined when none does. */
  async findLeader(): Promise<HeldLease | undefined> {
    return this.leases.at(-1)?.find(this.options.name);
  }

  onApplicationBootstrap(): void {
    if (this.options.mayLead) {
      this.campaign = this.run();
    }
  }

  /**
   * Ends the duties, and gives leadership up, so that another replica need not wait for the lease to run out. That takes at
   * most two seconds longer than the duties do.
   */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.campaign;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => stop());
    let attempt = Promise.resolve();
    while (!signal.aborted) {
      attempt = this.attempt();
      await Promise.race([attempt, stopped]);
      await pause(this.options.ttlMs / ATTEMPTS_PER_TTL, signal);
    }
    await this.end();
    await this.giveUp(attempt);
  }

  /** Waits for the last attempt first, which would take the lease back. */
  private async giveUp(attempt: Promise<void>): Promise<void> {
    const released = new AbortController();
    const givenUp = attempt.then(() => this.releaseAll()).finally(() => released.abort());
    await Promise.race([givenUp, pause(GIVE_UP_WITHIN_MS, released.signal)]);
    if (!released.signal.aborted) {
      this.logger.warn(`the lease "${this.options.name}" was not given up in time; it runs out by itself`);
    }
  }

  private async attempt(): Promise<void> {
    const deadline = performance.now() + this.options.ttlMs * (1 - SAFETY_SHARE);
    const lease = await this.acquireAll();
    if (this.stopping.signal.aborted) {
      return;
    }
    if (this.term?.signal.aborted || lease === undefined || this.term?.isOfAnotherEpoch(lease)) {
      this.term?.revoke();
      await this.end();
    }
    if (lease === undefined || this.stopping.signal.aborted || performance.now() >= deadline) {
      return;
    }
    if (this.term === undefined) {
      this.logger.log(`leading as ${lease.holder}, epoch ${lease.epoch}`);
      this.term = new Term(lease, deadline, this.duties);
      this.begun++;
    } else {
      this.term.extend(lease, deadline);
    }
  }

  /** The last of the leases; undefined unless this replica holds all of them. */
  private async acquireAll(): Promise<HeldLease | undefined> {
    const { name, holder, ttlMs } = this.options;
    let held: HeldLease | undefined;
    for (const leases of this.leases) {
      try {
        held = await leases.acquire(name, holder, ttlMs);
      } catch (error) {
        this.warnOnce(error);
        return undefined;
      }
      this.isCutOff = false;
      if (held.holder !== holder) {
        return undefined;
      }
    }
    return held;
  }

  /** Warns once per outage. */
  private warnOnce(error: unknown): void {
    if (!this.isCutOff) {
      this.isCutOff = true;
      this.logger.warn(`the lease "${this.options.name}" cannot be requested`, error);
    }
  }

  private async end(): Promise<void> {
    if (this.term !== undefined) {
      this.logger.log('not leading any more');
      await this.term.end();
      this.term = undefined;
    }
  }

  private async releaseAll(): Promise<void> {
    const { name, holder } = this.options;
    for (const leases of this.leases.toReversed()) {
      await leases.release(name, holder).catch((error: unknown) => {
        this.logger.warn(`the lease "${name}" could not be given up; it runs out by itself`, error);
      });
    }
  }
}
