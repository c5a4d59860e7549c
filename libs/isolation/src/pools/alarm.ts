import type { Clock, Timer } from '@palisade/async';

/** Goes off at the earliest moment that it was set to, and has then to be set again. */
export class Alarm {
  readonly #clock: Clock;
  readonly #onAlarm: () => void;
  #timer: Timer | undefined = undefined;
  #atMs = Infinity;

  constructor(clock: Clock, onAlarm: () => void) {
    this.#clock = clock;
    this.#onAlarm = onAlarm;
  }

  set(nowMs: number, delayMs: number): void {
    const atMs = nowMs + delayMs;
    if (atMs >= this.#atMs) {
      return;
    }
    this.cancel();
    this.#atMs = atMs;
    this.#timer = this.#clock.setTimer(() => {
      this.#atMs = Infinity;
      this.#onAlarm();
    }, delayMs);
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#atMs = Infinity;
  }
}
