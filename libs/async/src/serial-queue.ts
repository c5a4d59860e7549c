/** Runs tasks one at a time, in the order in which they came. */
export class SerialQueue {
  private tail: Promise<unknown> = Promise.resolve();
  private unfinished = 0;

  get isBusy(): boolean {
    return this.unfinished > 0;
  }

  /** Resolves or rejects as the task does. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    this.unfinished += 1;
    const run = this.tail.then(task);
    this.tail = run.catch(() => {});
    try {
      return await run;
    } finally {
      this.unfinished -= 1;
    }
  }
}
