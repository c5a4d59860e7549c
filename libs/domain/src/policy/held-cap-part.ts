import type { CapPart } from './cap-parts.js';

/** What a process has said of a backend, and when it has sent that. */
export interface CapRequest {
  readonly sentAtMs: number;
  /** {@link CapDemand.limit} */
  readonly limit: number;
}

/** So long before its end a part becomes smaller for what is new, so that work under way can end by itself. */
const NOTICE_MS = 5000;

/**
 * The part of a cap that a process goes by, as time passes. Times are of one clock that never goes back and also counts
 * while the process is stopped. A process asks before it opens any connection, not by timers alone: after it was
 * stopped they are late.
 */
export class HeldCapPart {
  #part: CapPart | undefined = undefined;
  #asked: CapRequest = { sentAtMs: 0, limit: 0 };

  /** Of the part in force; undefined before the first. */
  get sequence(): number | undefined {
    return this.#part?.sequence;
  }

  /** Why there is nothing, as far as the control plane has said it. */
  get reason(): string | undefined {
    return this.#part?.reason;
  }

  /** Puts a part in force that answers a request, unless it is older than the one that is. */
  apply(part: CapPart, asked: CapRequest): void {
    if (part.sequence > (this.sequence ?? 0)) {
      this.#part = part;
      this.#asked = asked;
    }
  }

  /** Up to so many connections a new one may be opened; what is open beyond it is closed when it is not in use. */
  limitAt(nowMs: number): number {
    return this.#connectionsAt(nowMs, this.#part?.limit ?? 0, NOTICE_MS);
  }

  /**
   * What is open beyond this has to be closed at once, whatever it is doing. When a part is smaller than the one before, what
   * has been reported still counts as the process's.
   */
  ceilingAt(nowMs: number): number {
    return this.#connectionsAt(nowMs, Math.max(this.#part?.limit ?? 0, this.#asked.limit), 0);
  }

  /** The next time at which either becomes smaller by itself; undefined when there is nothing left. */
  nextEndMs(nowMs: number): number | undefined {
    return this.#ends()
      .flatMap((endMs) => [endMs - NOTICE_MS, endMs])
      .find((endMs) => endMs > nowMs);
  }

  #connectionsAt(nowMs: number, limit: number, noticeMs: number): number {
    const [endMs = 0, baseEndMs = 0] = this.#ends();
    if (this.#part === undefined || nowMs >= baseEndMs - noticeMs) {
      return 0;
    }
    return nowMs < endMs - noticeMs ? limit : this.#part.base;
  }

  #ends(): readonly number[] {
    const { valid_seconds = 0, base_valid_seconds = 0 } = this.#part ?? {};
    return this.#part === undefined
      ? []
      : [this.#asked.sentAtMs + valid_seconds * 1000, this.#asked.sentAtMs + base_valid_seconds * 1000];
  }
}
