import type { NamespaceId } from '@palisade/domain';
import { SYSTEM_CLOCK, type Clock } from '@palisade/async';
import { Expiry, ExpiryLink } from '../collections/expiry.js';
import { RateLimitedError } from './limit.errors.js';
import { TokenBucket } from './token-bucket.js';

export interface RequestLimiterOptions {
  /** Requests per second of one namespace, and how many of them may come at once; asked each time. Undefined: no limit. */
  readonly maxRps?: (namespace: NamespaceId) => number | undefined;
  /** Namespaces that are counted at once; requests of others are rejected meanwhile. Default 100,000. */
  readonly maxNamespaces?: number;
  readonly clock?: Clock;
}

interface Entry {
  readonly namespace: NamespaceId;
  readonly bucket: TokenBucket;
}

/** After so long without a request a bucket is full, which is the same as having none. */
const FILL_MS = 1000;
const DEFAULT_MAX_NAMESPACES = 100_000;

/** Limits the requests per second of each namespace, exactly: a bucket of one second's worth for each. */
export class RequestLimiter {
  readonly #maxRpsOf: (namespace: NamespaceId) => number | undefined;
  readonly #maxNamespaces: number;
  readonly #clock: Clock;
  readonly #places = new Map<NamespaceId, ExpiryLink<Entry>>();
  readonly #unused: Expiry<Entry>;

  constructor(options: RequestLimiterOptions = {}) {
    const { maxRps = () => undefined, maxNamespaces = DEFAULT_MAX_NAMESPACES, clock = SYSTEM_CLOCK } = options;
    this.#maxRpsOf = maxRps;
    this.#maxNamespaces = maxNamespaces;
    this.#clock = clock;
    this.#unused = new Expiry({
      clock,
      delayMs: FILL_MS,
      onExpired: ({ namespace }) => this.#places.delete(namespace),
    });
  }

  /** Namespaces that made a request within about a second. */
  get namespaces(): number {
    return this.#places.size;
  }

  /**
   * Counts a request of a namespace.
   *
   * @throws {RateLimitedError} when it is one too many
   */
  admit(namespace: NamespaceId): void {
    const maxRps = this.#maxRpsOf(namespace);
    if (maxRps === undefined) {
      return;
    }
    const nowMs = this.#clock.now();
    const place = this.#places.get(namespace) ?? this.#create(namespace, maxRps);
    place.value.bucket.perSecond = maxRps;
    const retryInMs = place.value.bucket.take(nowMs);
    if (retryInMs > 0) {
      throw new RateLimitedError(namespace, `limited to ${maxRps} requests per second`, retryInMs);
    }
    this.#unused.remove(place);
    this.#unused.add(place, nowMs);
  }

  #create(namespace: NamespaceId, maxRps: number): ExpiryLink<Entry> {
    if (this.#places.size >= this.#maxNamespaces) {
      throw new RateLimitedError(namespace, `${this.#maxNamespaces} others make requests already`, FILL_MS);
    }
    const place = new ExpiryLink<Entry>({ namespace, bucket: new TokenBucket(maxRps) });
    this.#places.set(namespace, place);
    return place;
  }
}
