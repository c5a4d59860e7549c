/** A token is so many parts, of which one is filled in per millisecond and token per second: all numbers are whole. */
const PARTS_PER_TOKEN = 1000;
const FILL_MS = 1000;

/** A bucket that holds one second's worth of tokens and is filled at a constant rate, exactly, by whole milliseconds. */
export class TokenBucket {
  /** Parts that are missing. */
  #missing = 0;
  #atMs = -Infinity;

  /** @param perSecond tokens, a whole number */
  constructor(public perSecond: number) {}

  /** Takes a token and returns 0; or takes none and returns in how many milliseconds there will be one. */
  take(nowMs: number): number {
    const atMs = Math.floor(nowMs);
    const filled = Math.min(atMs - this.#atMs, FILL_MS) * this.perSecond;
    this.#missing = Math.max(0, this.#missing - filled);
    this.#atMs = atMs;
    const excess = this.#missing + PARTS_PER_TOKEN - this.perSecond * PARTS_PER_TOKEN;
    if (excess > 0) {
      return Math.ceil(excess / this.perSecond);
    }
    this.#missing += PARTS_PER_TOKEN;
    return 0;
  }
}
