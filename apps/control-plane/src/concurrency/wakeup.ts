/** Lets one waiter sleep until something happens, or a time has passed. What happens while nobody waits is not lost. */
export class Wakeup {
  private isWoken = false;
  private waiter: (() => void) | undefined;

  wake(): void {
    this.isWoken = true;
    this.waiter?.();
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.isWoken && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const finish = (): void => resolve();
      const timer = setTimeout(finish, ms);
      signal.addEventListener('abort', finish);
      this.waiter = finish;
      await promise;
      this.waiter = undefined;
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
    }
    this.isWoken = false;
  }
}
