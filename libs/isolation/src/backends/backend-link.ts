import { Interruption } from '@palisade/async';
import { BackendTimeoutError, ConnectionLostError } from './backend.errors.js';

/**
 * A connection to a backend. It ends once: when we close it, when it is lost, or when it is given up because the server
 * does not answer. It never connects again, so whoever has it knows that nothing happened in between.
 */
export abstract class BackendLink {
  readonly #ended = new Interruption();
  readonly #listeners = new Set<(reason: Error) => void>();
  #isClosing = false;

  constructor(protected readonly backend: string) {}

  /** Whether it may be leased: it is open, and nothing is left of what was done on it. */
  get isUsable(): boolean {
    return !this.#ended.hasHappened;
  }

  /** Calls the listener once when the connection ends without {@link close}. */
  onLost(listener: () => void): () => void {
    return this.onEnd(() => this.#isClosing || listener());
  }

  /** Calls the listener once when the connection ends, {@link close} included. */
  onEnd(listener: (reason: Error) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends whatever is under way; resolves when the sockets are closed. May be called twice. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.lose(new Error('it was closed'));
    await this.destroy();
  }

  /** Settles as the promise does, unless the connection ends first: then it rejects with the reason. */
  unlessLost<T>(promise: Promise<T>): Promise<T> {
    return this.#ended.unless(promise);
  }

  /** @throws the reason for which the connection has ended */
  protected requireOpen(): void {
    this.#ended.throwIfHappened();
  }

  protected lose(cause: unknown): void {
    this.end(new ConnectionLostError(this.backend, { cause }));
  }

  /** The first reason stands. */
  protected end(reason: Error): void {
    if (this.#ended.hasHappened) {
      return;
    }
    this.#ended.happen(reason);
    this.abort();
    for (const listener of this.#listeners) {
      listener(reason);
    }
  }

  /** Gives the connection up unless what is returned is disposed of in time. */
  protected expectAnswer(operation: string, withinMs: number): Disposable {
    const giveUp = () => this.end(new BackendTimeoutError(this.backend, operation, withinMs));
    const timer = setTimeout(giveUp, withinMs);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  }

  /** Called once when the connection has ended: makes what is under way fail. */
  protected abort(): void {}

  /** Resolves when the sockets are closed. */
  protected abstract destroy(): Promise<void>;
}
