import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { pause } from '@palisade/async';
import { Store } from '@palisade/domain';

const POLL_MS = 250;
const MAX_WAITING = 100;
/** So that one caller does not keep all others from waiting. */
const MAX_WAITING_PER_ACTOR = 10;

interface Waiting {
  readonly actor: string;
  readonly position: number;
  readonly end: () => void;
}

/**
 * Lets requests wait for new records. However many wait, the store is asked for its head four times a second, and not at all
 * while nobody waits.
 */
@Injectable()
export class LogFollower implements OnModuleDestroy {
  private readonly waiting = new Set<Waiting>();
  private readonly stopping = new AbortController();
  private isPolling = false;

  constructor(private readonly store: Store) {}

  onModuleDestroy(): void {
    this.stopping.abort();
    this.endWhere(() => true);
  }

  /**
   * Resolves when the log has records beyond the position, or after so many milliseconds, or when the signal aborts.
   *
   * @returns false, at once, when a hundred others wait, or ten of the same actor, or the process ends
   */
  async waitBeyond(actor: string, position: number, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    const own = [...this.waiting].filter((waiting) => waiting.actor === actor).length;
    if (own >= MAX_WAITING_PER_ACTOR || this.waiting.size >= MAX_WAITING || this.stopping.signal.aborted) {
      return false;
    }
    const ended = new AbortController();
    const waiting = { actor, position, end: () => ended.abort() };
    this.waiting.add(waiting);
    void this.poll();
    await pause(timeoutMs, AbortSignal.any([signal, ended.signal]));
    this.waiting.delete(waiting);
    return !this.stopping.signal.aborted;
  }

  /** Never fails: a request that waits reads the store again and fails there. */
  private async poll(): Promise<void> {
    if (this.isPolling) {
      return;
    }
    this.isPolling = true;
    while (this.waiting.size > 0) {
      try {
        const { head } = await this.store.log.ends();
        this.endWhere(({ position }) => position < head.position);
      } catch {
        this.endWhere(() => true);
      }
      await pause(POLL_MS, this.stopping.signal);
    }
    this.isPolling = false;
  }

  private endWhere(isOver: (waiting: Waiting) => boolean): void {
    for (const waiting of this.waiting) {
      if (isOver(waiting)) {
        this.waiting.delete(waiting);
        waiting.end();
      }
    }
  }
}
