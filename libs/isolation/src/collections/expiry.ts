import type { Clock, Timer } from '@palisade/async';
import { Link, LinkedList } from './linked-list.js';

/** A value's place in an {@link Expiry}. */
export class ExpiryLink<T> extends Link<T> {
  sinceMs = 0;
}

export interface ExpiryOptions<T> {
  readonly clock: Clock;
  readonly delayMs: number;
  /** Called for each value that has expired, after it was taken out. */
  readonly onExpired: (value: T) => void;
  /** Whether somebody waits for the expiry, so that the process must not end before it. Default false. */
  readonly keepsProcess?: boolean;
}

/** So many expire in one turn of the event loop at most; the others have to wait for the next, which follows at once. */
const MAX_PER_TURN = 50;

/**
 * Values that all expire the same time after they were added, in the order in which they were added. One timer serves
 * all of them, and adding and removing take constant time.
 */
export class Expiry<T> {
  readonly #list = new LinkedList<T, ExpiryLink<T>>();
  readonly #options: ExpiryOptions<T>;
  #delayMs: number;
  #timer: Timer | undefined = undefined;

  constructor(options: ExpiryOptions<T>) {
    this.#options = options;
    this.#delayMs = options.delayMs;
  }

  get length(): number {
    return this.#list.length;
  }

  /** The value that expires first. */
  get first(): ExpiryLink<T> | undefined {
    return this.#list.first;
  }

  add(link: ExpiryLink<T>, nowMs: number): void {
    link.sinceMs = nowMs;
    this.#list.push(link);
    this.#timer ??= this.#arm(this.#delayMs);
  }

  /** Takes a value out; one that is not in stays so. */
  remove(link: ExpiryLink<T>): void {
    this.#list.remove(link);
    // A background timer that finds nothing to do costs less than one that is set again for every value.
    if (this.#list.length === 0 && this.#options.keepsProcess) {
      this.cancel();
    }
  }

  /** Has all values, also those that are in, expire after another time. */
  setDelay(delayMs: number): void {
    if (delayMs !== this.#delayMs) {
      this.#delayMs = delayMs;
      this.#rearm(this.#options.clock.now());
    }
  }

  /** Lets nothing expire any more until the next value is added. */
  cancel(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #arm(delayMs: number): Timer {
    const { clock, keepsProcess } = this.#options;
    const fire = () => this.#fire();
    return keepsProcess ? clock.setTimer(fire, delayMs) : clock.setBackgroundTimer(fire, delayMs);
  }

  #fire(): void {
    const { clock, onExpired } = this.#options;
    const nowMs = clock.now();
    for (let count = 0; count < MAX_PER_TURN; count++) {
      const link = this.first;
      if (link === undefined || link.sinceMs + this.#delayMs > nowMs) {
        break;
      }
      this.#list.remove(link);
      onExpired(link.value);
    }
    this.#rearm(nowMs);
  }

  #rearm(nowMs: number): void {
    this.cancel();
    if (this.first !== undefined) {
      this.#timer = this.#arm(Math.max(0, this.first.sinceMs + this.#delayMs - nowMs));
    }
  }
}
