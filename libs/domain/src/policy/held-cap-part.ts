import type { CapPart } from './cap-parts.js';

/** So long before its end a part becomes smaller for what is new, so that work under way can end by itself. */
const NOTICE_MS = 5000;

/**
 * The part of a cap that a process goes by, as time passes. Times are of one clock that never goes back and also counts
 * while the process is stopped. A process asks before it opens any connection, not by timers alone: after it was
 * stopped they are late.
 */
export class HeldCapPart {
  #part: CapPart | undefined = undefined;
  #sentAtMs = 0;

  /** Of the part in force; undefined before the first. */
  get sequence(): number | undefined {
    return this.#part?.sequence;
  }

  /** Why there is nothing, as far as the control plane has said it. */
  get reason(): string | undefined {
    return this.#part?.reason;
  }

  /**
   * Puts a part in force, unless it is older than the one that is.
   *
   * @param sentAtMs when the request was sent that it answers
   */
  apply(part: CapPart, sentAtMs: number): void {
    if (part.sequence > (this.sequence ?? 0)) {
      this.#part = part;
      this.#sentAtMs = sentAtMs;
    }
  }

  /** Up to so many connections a new one may be opened. */
  limitAt(nowMs: number): number {
    return this.#connectionsAt(nowMs, NOTICE_MS);
  }

  /** What is open beyond this has to be closed at once, whatever it is doing. */
  ceilingAt(nowMs: number): number {
    return this.#connectionsAt(nowMs, 0);
  }

  /** The next time at which either becomes smaller by itself; undefined when there is nothing left. */
  nextEndMs(nowMs: number): number | undefined {
    return this.#ends()
      .flatMap((endMs) => [endMs - NOTICE_MS, endMs])
      .find((endMs) => endMs > nowMs);
  }

  #connectionsAt(nowMs: number, noticeMs: number): number {
    const [endMs = 0, baseEndMs = 0] = this.#ends();
    if (this.#part === undefined || nowMs >= baseEndMs - noticeMs) {
      return 0;
    }
    return nowMs < endMs - noticeMs ? this.#part.limit : this.#part.base;
  }

  #ends(): readonly number[] {
    const { valid_seconds = 0, base_valid_seconds = 0 } = this.#part ?? {};
    return this.#part === undefined
      ? []
      : [this.#sentAtMs + valid_seconds * 1000, this.#sentAtMs + base_valid_seconds * 1000];
  }
}
