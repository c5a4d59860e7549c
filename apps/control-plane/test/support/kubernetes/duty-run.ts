import type { HeldLease, Store } from '@palisade/domain';
import type { LeaderDuty } from '../../../src/leadership/leader-duty.js';

/** A term of a duty. */
export class DutyRun implements AsyncDisposable {
  private readonly term = new AbortController();
  private readonly ended: Promise<void>;

  private constructor(duty: LeaderDuty, lease: HeldLease) {
    const { signal } = this.term;
    this.ended = duty.run({ signal, lease: () => lease, isHeld: () => true });
  }

  /** With the leader's lease of the store. */
  static async start(duty: LeaderDuty, store: Store): Promise<DutyRun> {
    return new DutyRun(duty, await store.leases.acquire('leader', 'this one', 60_000));
  }

  /** Ends the term; resolves when the duty has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.term.abort();
    await this.ended;
  }
}
