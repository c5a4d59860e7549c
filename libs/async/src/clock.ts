export interface Timer {
  /** Harmless after it has fired, and twice. */
  cancel(): void;
}

/** Where time comes from; passed in, so that tests own it. */
export interface Clock {
  /** Milliseconds since some moment, whole ones; they never go back. */
  now(): number;

  /** The time of day, for records. */
  date(): Date;

  /** Keeps the process alive until it has fired or is cancelled. */
  setTimer(callback: () => void, delayMs: number): Timer;

  /** For work that only cleans up: the process may end without it. */
  setBackgroundTimer(callback: () => void, delayMs: number): Timer;
}

export const SYSTEM_CLOCK: Clock = {
  // Whole numbers are kept in place, where each fraction would be a new object to collect.
  now: () => Math.trunc(performance.now()),
  date: () => new Date(),
  setTimer: (callback, delayMs) => asTimer(setTimeout(callback, delayMs)),
  setBackgroundTimer: (callback, delayMs) => asTimer(setTimeout(callback, delayMs).unref()),
};

function asTimer(timeout: NodeJS.Timeout): Timer {
  return { cancel: () => clearTimeout(timeout) };
}
