/** Aborts its signal when the time is over, unless it is extended, and when another signal aborts. */
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

  /** Whether it was the time that has aborted the signal. */
  get hasPassed(): boolean {
    return this.isOver;
  }

  /** From now on so long. */
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
