export interface OpeningGateOptions {
  readonly maxOpening: number;
  readonly initialBackoffMs: number;
  readonly maxBackoffMs: number;
  readonly random: () => number;
}

/** So many failures in a row are an outage: the attempt after the first pause has failed as well. */
const OUTAGE_FAILURES = 2;

/**
 * Decides whether a connection may be opened now. After a failure nothing is opened for a while, which doubles with
 * each further failure; then one attempt is made. With each success one more may be under way at once, up to the normal
 * number, so that a server that comes back is not hit by all who wait for it.
 */
export class OpeningGate {
  #failures = 0;
  #lastFailureAtMs = -Infinity;
  #retryAtMs = -Infinity;
  #allowance: number;
  #lastError: unknown = undefined;

  constructor(private readonly options: OpeningGateOptions) {
    this.#allowance = options.maxOpening;
  }

  /** Consecutive ones. */
  get failures(): number {
    return this.#failures;
  }

  get lastError(): unknown {
    return this.#lastError;
  }

  permits(nowMs: number, opening: number): boolean {
    return opening < this.#allowance && nowMs >= this.#retryAtMs;
  }

  retryInMs(nowMs: number): number {
    return Math.max(0, this.#retryAtMs - nowMs);
  }

  /** Whether an acquisition that cannot have an idle connection is rejected at once. */
  isOutage(nowMs: number): boolean {
    return this.#failures >= OUTAGE_FAILURES && nowMs < this.#retryAtMs;
  }

  succeed(): void {
    this.#failures = 0;
    this.#lastFailureAtMs = -Infinity;
    this.#retryAtMs = -Infinity;
    this.#lastError = undefined;
    this.#allowance = Math.min(this.options.maxOpening, this.#allowance + 1);
  }

  /** @param startedAtMs when the attempt was begun: those begun before the last failure tell nothing new */
  fail(startedAtMs: number, nowMs: number, error: unknown): void {
    this.#lastError = error;
    if (startedAtMs <= this.#lastFailureAtMs) {
      return;
    }
    const { initialBackoffMs, maxBackoffMs, random } = this.options;
    const backoffMs = Math.min(maxBackoffMs, initialBackoffMs * 2 ** this.#failures);
    this.#failures++;
    this.#lastFailureAtMs = nowMs;
    this.#retryAtMs = nowMs + backoffMs * (1 - random() / 2);
    this.#allowance = 1;
  }
}
