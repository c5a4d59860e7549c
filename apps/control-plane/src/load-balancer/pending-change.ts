import { pause } from '@palisade/async';
import type { LoadBalancerVersion } from '@palisade/domain';
import type { DesiredState } from '../routing/table/desired-state.js';

const MAX_NAMED_ACTORS = 5;

/** A change that waits a little, so that others can be made together with it. */
export class PendingChange {
  /** The outcome, for everyone whose change it includes. */
  readonly done: Promise<LoadBalancerVersion>;
  private readonly due = new AbortController();
  private readonly actors = new Set<string>();
  private latest: DesiredState | undefined;
  private forced = false;

  /** @param carryOut is called once, when it is due */
  constructor(delayMs: number, carryOut: (pending: PendingChange) => Promise<LoadBalancerVersion>) {
    this.done = pause(delayMs, this.due.signal).then(() => carryOut(this));
  }

  /** Includes another request. Only possible until the change is carried out. */
  add(state: DesiredState, actor: string, isForced: boolean): void {
    const overdue = [...(this.latest?.overdue ?? []), ...(state.overdue ?? [])];
    const latest = this.latest === undefined || state.revision >= this.latest.revision ? state : this.latest;
    this.latest = { ...latest, overdue };
    this.actors.add(actor);
    this.forced ||= isForced;
    if (isForced) {
      this.endWait();
    }
  }

  endWait(): void {
    this.due.abort();
  }

  get state(): DesiredState {
    if (this.latest === undefined) {
      throw new TypeError('no state was added');
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
