const SLOT_MS = 30_000;
const LEAST_MS = 0.25;
/** Each bucket ends at 1.41 times the end of the one before; the last takes all that is above two minutes. */
const BUCKETS = 39;

/** How long work has taken within the last half to whole minute, to within 41 %. */
export class LatencyHistogram {
  readonly #slots = [new Uint32Array(BUCKETS), new Uint32Array(BUCKETS)] as const;
  #index = 0;

  add(nowMs: number, durationMs: number): void {
    this.#turn(nowMs);
    const bucket = Math.ceil(2 * Math.log2(Math.max(durationMs, LEAST_MS) / LEAST_MS));
    const slot = this.#slots[this.#index % 2 === 0 ? 0 : 1];
    const place = Math.min(bucket, BUCKETS - 1);
    slot[place] = (slot[place] ?? 0) + 1;
  }

  /** The time that a share of the work took at most, rounded up to the end of a bucket; undefined without any work. */
  percentile(nowMs: number, share: number): number | undefined {
    this.#turn(nowMs);
    const [one, other] = this.#slots;
    const counts = one.map((count, bucket) => count + (other[bucket] ?? 0));
    let left = share * counts.reduce((sum, count) => sum + count, 0);
    if (left === 0) {
      return undefined;
    }
    const bucket = counts.findIndex((count) => (left -= count) <= 0);
    return LEAST_MS * 2 ** (bucket / 2);
  }

  #turn(nowMs: number): void {
    const index = Math.floor(nowMs / SLOT_MS);
    if (index !== this.#index) {
      const [one, other] = this.#slots;
      if (index > this.#index + 1) {
        one.fill(0);
        other.fill(0);
      }
      (index % 2 === 0 ? one : other).fill(0);
      this.#index = index;
    }
  }
}
