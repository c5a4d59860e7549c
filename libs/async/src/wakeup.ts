import { pause } from './abort.js';

/** Lets one waiter sleep until something happens, or a time has passed. What happens while nobody waits is not lost. */
export class Wakeup {
  private woken = new AbortController();

  wake(): void {
    this.woken.abort();
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    await pause(ms, AbortSignal.any([this.woken.signal, signal]));
    this.woken = new AbortController();
  }
}
