export interface BackoffOptions {
  readonly minMs: number;
  readonly maxMs: number;
  /** Gives 0 to below 1, such as `Math.random`, so that many who fail together do not try again together; absent: no jitter. */
  readonly random?: () => number;
}

/** How long to wait before each try: twice as long as before the last one, less up to a half of it by chance. */
export class Backoff {
  private failures = 0;

  constructor(private readonly options: BackoffOptions) {}

  /** @param atLeastMs what the other side asks for */
  next(atLeastMs = 0): number {
    const { minMs, maxMs, random = () => 0 } = this.options;
    const fullMs = Math.min(maxMs, minMs * 2 ** Math.min(this.failures, 30));
    this.failures++;
    return Math.max(atLeastMs, fullMs * (1 - random() / 2));
  }

  /** What was tried has succeeded. */
  reset(): void {
    this.failures = 0;
  }
}
