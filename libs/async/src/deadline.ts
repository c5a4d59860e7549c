import type { Clock } from './clock.js';

/** Settles as the promise does, unless that takes longer than `timeoutMs`: then it rejects with the reason. */
export async function within<T>(
  timeoutMs: number,
  clock: Clock,
  promise: Promise<T>,
  reason: () => unknown,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = clock.setTimer(() => late.reject(reason()), timeoutMs);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    timer.cancel();
  }
}

/** A signal that aborts when the time is over, unless it is extended, and when the outer signal aborts. */
export class Deadline implements Disposable {
  private readonly controller = new AbortController();
  private readonly follow = (): void => this.controller.abort(this.outer?.reason);
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(
    ms: number,
    private readonly outer?: AbortSignal,
  ) {
    outer?.addEventListener('abort', this.follow);
    if (outer?.aborted) {
      this.follow();
    }
    this.extend(ms);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Whether the signal was aborted because the time was over. */
  get hasPassed(): boolean {
    return this.isOver;
  }

  /** Starts the time again. */
  extend(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.isOver = !this.signal.aborted;
      this.controller.abort();
    }, ms).unref();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.follow);
  }
}
