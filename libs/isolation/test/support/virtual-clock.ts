import type { Clock, Timer } from '@palisade/async';

interface PendingTimer {
  readonly atMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Time that moves only when told to. */
export class VirtualClock implements Clock {
  #nowMs = 0;
  #order = 0;
  readonly #pending = new Set<PendingTimer>();

  get timers(): number {
    return this.#pending.size;
  }

  now(): number {
    return this.#nowMs;
  }

  date(): Date {
    return new Date(Date.UTC(2026, 0, 1) + this.#nowMs);
  }

  setTimer(callback: () => void, delayMs: number): Timer {
    const timer = { atMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, callback };
    this.#pending.add(timer);
    return { cancel: () => void this.#pending.delete(timer) };
  }

  setBackgroundTimer(callback: () => void, delayMs: number): Timer {
    return this.setTimer(callback, delayMs);
  }

  /** Fires what is due, in order, and lets everything that follows from it happen, until so much time has passed. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.#nowMs + byMs;
    await settled();
    for (let timer = this.#next(untilMs); timer !== undefined; timer = this.#next(untilMs)) {
      this.#pending.delete(timer);
      this.#nowMs = Math.max(this.#nowMs, timer.atMs);
      timer.callback();
      await settled();
    }
    this.#nowMs = untilMs;
  }

  #next(untilMs: number): PendingTimer | undefined {
    let next: PendingTimer | undefined;
    for (const timer of this.#pending) {
      const isEarlier =
        next === undefined || timer.atMs < next.atMs || (timer.atMs === next.atMs && timer.order < next.order);
      if (timer.atMs <= untilMs && isEarlier) {
        next = timer;
      }
    }
    return next;
  }
}

/** Resolves when every promise that could be settled is, and what follows from that has happened. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
