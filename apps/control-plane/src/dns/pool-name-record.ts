import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { DesiredServer } from '../routing/table/desired-state.js';

/** How far the name of one pool is. */
export interface PoolRecordStatus {
  readonly name: string;
  readonly state: 'applied' | 'pending';
  /** What it has, or is to have. */
  readonly addresses: readonly string[];
  /** Why it is pending. */
  readonly error?: string;
  /** ISO 8601: applied then, or to be tried again then. */
  readonly applied_at?: string;
  readonly next_attempt_at?: string;
}

const MIN_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 60_000;
/** What somebody else has changed on the server is put right after this time. */
const REFRESH_MS = 300_000;

/** The name of one pool: which addresses it is to have, which it has, and when to try next. Times in milliseconds since 1970. */
export class PoolNameRecord {
  private wanted: readonly string[] | undefined;
  private applied: string | undefined;
  private failures = 0;
  private isUnresolved = false;
  private error: string | undefined;
  private appliedAt: number | undefined;
  private nextAttemptAt = 0;

  constructor(readonly name: string) {}

  /** Other addresses are tried at once, unless the server has just failed. */
  want(addresses: readonly string[], now: number): void {
    const isNew = addresses.join() !== this.wanted?.join();
    this.wanted = addresses;
    this.isUnresolved = false;
    if (isNew && this.failures === 0) {
      this.nextAttemptAt = now;
    }
  }

  /** The addresses to apply now; undefined when nothing is due. */
  due(now: number): readonly string[] | undefined {
    return now >= this.nextAttemptAt && !this.isUnresolved ? this.wanted : undefined;
  }

  succeeded(addresses: readonly string[], now: number): void {
    this.applied = addresses.join();
    this.appliedAt = now;
    this.failures = 0;
    this.error = undefined;
    this.nextAttemptAt = this.isPending ? now : now + REFRESH_MS;
  }

  /** What it is to have cannot be told; it stays as it is. */
  unresolved(error: string): void {
    this.isUnresolved = true;
    this.error = error;
  }

  failed(error: string, now: number): void {
    this.nextAttemptAt = now + Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** this.failures);
    this.failures++;
    this.error = error;
  }

  get status(): PoolRecordStatus {
    const shared = { name: this.name, addresses: this.wanted ?? [], error: this.error };
    const appliedAt = this.appliedAt && new Date(this.appliedAt).toISOString();
    return this.isPending || this.error !== undefined
      ? {
          ...shared,
          state: 'pending',
          applied_at: appliedAt || undefined,
          next_attempt_at: new Date(this.nextAttemptAt).toISOString(),
        }
      : { ...shared, state: 'applied', applied_at: appliedAt || undefined };
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
 * The addresses that the name of a pool gets: those of its servers that take requests, without duplicates, in order.
 * Undefined when it has servers and none takes requests: then the name stays as it is, as an address is better than none.
 *
 * @throws when a server's name cannot be resolved: a pool that is known in part only is left as it is
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
