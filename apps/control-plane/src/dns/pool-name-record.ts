import { Backoff } from '@palisade/async';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { DesiredServer } from '../routing/table/desired-state.js';

/** The state of one pool's name, as the status shows it. */
export interface PoolRecordStatus {
  readonly name: string;
  readonly state: 'applied' | 'pending';
  /** The addresses that it has, or gets with the next update. */
  readonly addresses: readonly string[];
  /** Why it is pending. */
  readonly error?: string;
  /** ISO 8601. */
  readonly applied_at?: string;
  readonly next_attempt_at?: string;
}

const RETRY = { minMs: 1000, maxMs: 60_000 };
/** A name is written again after this time, in case somebody else has changed it on the server. */
const REFRESH_MS = 300_000;

/** The name of one pool: the addresses wanted and applied, and when to update it next. Times are in milliseconds since 1970. */
export class PoolNameRecord {
  private wanted: readonly string[] | undefined;
  private applied: string | undefined;
  private readonly backoff = new Backoff(RETRY);
  /** Why the last update has failed. */
  private failure: string | undefined;
  /** Why the addresses cannot be resolved. */
  private resolutionError: string | undefined;
  private appliedAt: number | undefined;
  private nextAttemptAt = 0;

  constructor(readonly name: string) {}

  /** Makes an update due at once when the addresses are new, unless the last update has failed. */
  want(addresses: readonly string[], now: number): void {
    const isNew = addresses.join() !== this.wanted?.join();
    this.wanted = addresses;
    this.resolutionError = undefined;
    if (isNew && this.failure === undefined) {
      this.nextAttemptAt = now;
    }
  }

  /** The addresses to apply now; undefined when nothing is due. */
  due(now: number): readonly string[] | undefined {
    return now >= this.nextAttemptAt && this.resolutionError === undefined ? this.wanted : undefined;
  }

  succeeded(addresses: readonly string[], now: number): void {
    this.applied = addresses.join();
    this.appliedAt = now;
    this.backoff.reset();
    this.failure = undefined;
    this.nextAttemptAt = this.isPending ? now : now + REFRESH_MS;
  }

  /** The addresses cannot be resolved; the name stays as it is. */
  unresolved(error: string): void {
    this.resolutionError = error;
  }

  failed(error: string, now: number): void {
    this.nextAttemptAt = now + this.backoff.next();
    this.failure = error;
  }

  get status(): PoolRecordStatus {
    const error = this.resolutionError ?? this.failure;
    const isPending = this.isPending || error !== undefined;
    const appliedAt = this.appliedAt === undefined ? undefined : new Date(this.appliedAt).toISOString();
    const isScheduled = isPending && this.resolutionError === undefined;
    return {
      name: this.name,
      state: isPending ? 'pending' : 'applied',
      addresses: this.wanted ?? [],
      error,
      applied_at: appliedAt,
      next_attempt_at: isScheduled ? new Date(this.nextAttemptAt).toISOString() : undefined,
    };
  }

  private get isPending(): boolean {
    return this.applied !== this.wanted?.join();
  }
}

export type Lookup = (host: string) => Promise<readonly string[]>;

/** All addresses of a name, as the system resolves it. */
export async function lookupAll(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/**
 * The addresses for the name of a pool: those of its servers that take requests, sorted, without duplicates. Undefined when
 * the pool has servers but none takes requests: then the name stays as it is, as any address is better than none.
 *
 * @throws when a server's name cannot be resolved: no name is changed while its pool is only partly known
 */
export async function addressesOf(
  servers: readonly DesiredServer[],
  resolve: Lookup,
): Promise<readonly string[] | undefined> {
  const hosts = servers.filter(({ state }) => state === 'up').map(({ host }) => host);
  if (hosts.length === 0 && servers.length > 0) {
    return undefined;
  }
  const addresses = await Promise.all(hosts.map((host) => (isIP(host) > 0 ? [host] : resolve(host))));
  return [...new Set(addresses.flat())].sort();
}
