/** What a proxy has of one backend: connections that are opening or closing count as in use. */
export interface CapDemand {
  /** What the proxy takes for its part of the cap now. It has given back all above it. */
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
  readonly limit: number;
  /** Until then the whole part is the proxy's, in seconds. */
  readonly valid_seconds: number;
  /** What remains of it afterwards, and for how long, in seconds. */
  readonly base: number;
  readonly base_valid_seconds: number;
}
