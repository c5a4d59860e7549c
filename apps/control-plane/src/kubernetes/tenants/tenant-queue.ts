import { Wakeup } from '@palisade/async';

/** The names that are to be looked at; each is there once, however often it was asked for. */
export class TenantQueue {
  private readonly wakeup = new Wakeup();
  private readonly due = new Set<string>();
  private isAllDue = false;

  add(names: Iterable<string>): void {
    for (const name of names) {
      this.due.add(name);
    }
    if (this.due.size > 0) {
      this.wakeup.wake();
    }
  }

  /** Asks for everything that there is, which only {@link take} finds out. */
  addAll(): void {
    this.isAllDue = true;
    this.wakeup.wake();
  }

  clear(): void {
    this.due.clear();
    this.isAllDue = false;
  }

  get isEmpty(): boolean {
    return this.due.size === 0 && !this.isAllDue;
  }

  /** What is due now; it stays due until it is {@link done}. */
  take(everything: () => Iterable<string>): string[] {
    if (this.isAllDue) {
      this.isAllDue = false;
      this.add(everything());
    }
    return [...this.due];
  }

  done(name: string): void {
    this.due.delete(name);
  }

  /** It was not done after all. Unlike {@link add} this wakes nobody, who would only fail again. */
  putBack(name: string): void {
    this.due.add(name);
  }

  /** Until something is asked for, or the time has passed. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    await this.wakeup.wait(ms, signal);
  }
}
