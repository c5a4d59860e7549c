/** The connections of this process to the database of a store, of everybody together, at one moment. */
export interface StoreConnections {
  /** Those that operations use. */
  readonly active: number;
  readonly idle: number;
  readonly opening: number;
  readonly closing: number;
  /** As many as there may be at once, those that are opening or closing included. */
  readonly max: number;
  /** Operations that wait for one. */
  readonly waiting: number;
  /** Since the store was opened; they never decrease. */
  readonly totals: {
    /** Times that an operation got a connection. */
    readonly acquired: number;
    /** Milliseconds that these have waited, together. */
    readonly waitedMs: number;
    /** Operations that waited for as long as they may. */
    readonly timedOut: number;
    /** Operations that found as many waiting as may wait. */
    readonly refused: number;
    /** Operations that found the database not to be reached. */
    readonly unavailable: number;
    /** Connections that were made. */
    readonly opened: number;
    /** Attempts to make one that failed. */
    readonly failed: number;
  };
}

/**
 * Is told of each operation that gives its connection back, and for how many milliseconds it had it, whether it succeeded
 * or not. It must neither throw nor take time.
 */
export type OperationListener = (durationMs: number) => void;
