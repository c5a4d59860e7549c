import type { LoadBalancerVersion } from '@palisade/domain';
import type { DesiredState } from '../routing/table/desired-state.js';

const MAX_NAMED_ACTORS = 5;

/** A change that waits a little for others to be made together with it. */
export class PendingChange {
  /** What became of it, for everybody who has taken part. */
  readonly done: Promise<LoadBalancerVersion>;
  private readonly due = Promise.withResolvers<void>();
  private readonly actors = new Set<string>();
  private latest: DesiredState | undefined;
  private forced = false;

  /** @param carryOut is called once, when it is due */
  constructor(delayMs: number, carryOut: (pending: PendingChange) => Promise<LoadBalancerVersion>) {
    const timer = setTimeout(this.due.resolve, delayMs);
    this.done = this.due.promise.then(() => {
      clearTimeout(timer);
      return carryOut(this);
    });
  }

  /** Until it is carried out. */
  add(state: DesiredState, actor: string, isForced: boolean): void {
    if (this.latest === undefined || state.revision >= this.latest.revision) {
      this.latest = state;
    }
    this.actors.add(actor);
    this.forced ||= isForced;
    if (isForced) {
      this.hurry();
    }
  }

  /** Ends the waiting. */
  hurry(): void {
    this.due.resolve();
  }

  get state(): DesiredState {
    if (this.latest === undefined) {
      throw new TypeError('nothing was asked for');
    }
    return this.latest;
  }

  get actor(): string {
    const named = [...this.actors].slice(0, MAX_NAMED_ACTORS).join(', ');
    const others = this.actors.size - MAX_NAMED_ACTORS;
    return others > 0 ? `${named} and ${others} others` : named;
  }

  get isForced(): boolean {
    return this.forced;
  }
}
