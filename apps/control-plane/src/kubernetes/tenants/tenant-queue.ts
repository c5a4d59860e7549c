import { Wakeup } from '@palisade/async';

/** The names of tenants to reconcile, each once, however often it was added. */
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

  /** Adds all names there are, which {@link take} determines. */
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

  /** The names that are due now; each stays due until it is {@link done}. */
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

  /** Makes a name due again after a failure. Unlike {@link add} it does not end {@link wait}, as the next attempt would fail too. */
  putBack(name: string): void {
    this.due.add(name);
  }

  /** Resolves when something is added, or the time has passed. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    await this.wakeup.wait(ms, signal);
  }
}
