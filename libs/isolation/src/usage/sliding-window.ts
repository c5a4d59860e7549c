export interface WindowSums {
  readonly requests: number;
  readonly errors: number;
  /** Requests that took longer than a second. */
  readonly slow: number;
}

interface Slot {
  /** Which stretch of time it counts; -1 before the first. */
  index: number;
  requests: number;
  errors: number;
  slow: number;
}

const SLOT_MS = 10_000;
const SLOTS = 6;
/** What the sums are about, give or take a slot. */
export const WINDOW_MS = SLOT_MS * SLOTS;
const SLOW_MS = 1000;

/** What has ended within about the last minute, in slots of ten seconds of which the oldest is used again. */
export class SlidingWindow {
  readonly #slots: readonly Slot[] = Array.from({ length: SLOTS }, () => ({
    index: -1,
    requests: 0,
    errors: 0,
    slow: 0,
  }));

  /** @param durationMs undefined for work that is never slow, as it lasts as long as its caller wants */
  add(nowMs: number, durationMs: number | undefined, isError: boolean): void {
    const index = Math.floor(nowMs / SLOT_MS);
    const slot = this.#slots[index % SLOTS];
    if (slot === undefined) {
      return;
    }
    if (slot.index !== index) {
      Object.assign(slot, { index, requests: 0, errors: 0, slow: 0 });
    }
    slot.requests++;
    slot.errors += isError ? 1 : 0;
    slot.slow += durationMs !== undefined && durationMs > SLOW_MS ? 1 : 0;
  }

  sums(nowMs: number): WindowSums {
    const oldest = Math.floor(nowMs / SLOT_MS) - SLOTS;
    const sums = { requests: 0, errors: 0, slow: 0 };
    for (const { index, requests, errors, slow } of this.#slots) {
      if (index > oldest) {
        sums.requests += requests;
        sums.errors += errors;
        sums.slow += slow;
      }
    }
    return sums;
  }

  /** Requests per second, over the last ten to twenty seconds. */
  rate(nowMs: number): number {
    const current = Math.floor(nowMs / SLOT_MS);
    let requests = 0;
    for (const slot of this.#slots) {
      requests += slot.index >= current - 1 ? slot.requests : 0;
    }
    return (requests * 1000) / (SLOT_MS + (nowMs % SLOT_MS));
  }
}
