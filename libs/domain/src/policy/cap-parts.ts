/** What a proxy has of one backend: connections that are opening or closing count as in use. */
export interface CapDemand {
  /** The number of the part that the proxy goes by; absent before the first one. */
  readonly sequence?: number;
  /** The proxy has no more connections than this, and opens none above it before it gets another part. */
  readonly limit: number;
  readonly in_use: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
  /** Connections that it must be able to have: its reservations, one at least. */
  readonly least: number;
  /** So long the backend may keep a connection of a proxy that has been stopped, in seconds. */
  readonly hold_seconds: number;
}

/** A proxy's part of a backend's cap, counted from when the proxy sent the request that this answers. */
export interface CapPart {
  /** Higher than that of every part before it. A proxy ignores a part that is older than the one that it goes by. */
  readonly sequence: number;
  readonly limit: number;
  /** Until then the whole part is the proxy's, in seconds. */
  readonly valid_seconds: number;
  /** What remains of it afterwards, and for how long, in seconds. */
  readonly base: number;
  readonly base_valid_seconds: number;
  /** Why the limit is 0. */
  readonly reason?: string;
}
