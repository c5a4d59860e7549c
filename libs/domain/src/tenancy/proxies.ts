import type { ChangeContext } from '../log/log-record.js';
import type { PoolName, ProxyId } from '../identifiers.js';

/** How the control plane learned of a proxy. */
export type ProxySource = 'registration' | 'static' | 'dns_srv' | 'kubernetes';

/**
 * `unknown` until the first check; an unknown proxy never counts as healthy. Draining is a separate flag, which the proxy or
 * an operator sets: it gets no new requests but is still alive.
 */
export type ProxyHealth = 'unknown' | 'healthy' | 'unhealthy';

/** Where a proxy can be reached. */
export interface ProxyDraft {
  readonly pool: PoolName;
  /** Name or address. */
  readonly host: string;
  readonly port: number;
  /** 1 to 256, relative to the others of the pool. */
  readonly weight: number;
  readonly isDraining: boolean;
}

/** What a proxy says of the policy that it was sent. */
export interface PolicyReport {
  /** The revision in force; absent while there is none. */
  readonly revision?: number;
  /** Where the policy in force came from. */
  readonly source: 'stream' | 'disk' | 'none';
  /** How long ago the control plane was last heard of, in seconds. */
  readonly age_seconds: number;
  /** The revision that could not be applied, and why. */
  readonly rejected?: { readonly revision: number; readonly reason: string };
}

/** What a proxy says of itself in its heartbeats. */
export interface ProxyReport {
  /** Differs for each process, so that one that comes back late is told from the one that took its place. */
  readonly instance?: string;
  /** Of the isolation library. */
  readonly version?: string;
  readonly policy?: PolicyReport;
}

export interface Proxy extends ProxyDraft, ProxyReport {
  readonly id: ProxyId;
  readonly source: ProxySource;
  /** Who registered it first; undefined for a proxy that was discovered. */
  readonly owner?: string;
  readonly health: ProxyHealth;
  /** What the last check saw, for people to read. */
  readonly healthDetail?: string;
  readonly healthChangedAt?: Date;
  readonly registeredAt: Date;
  /** Of a registered proxy. By the store's clock. */
  readonly lastHeartbeatAt?: Date;
}

/** Whether both give the proxy the same address, pool, weight and draining flag. */
export function isSamePlace(a: ProxyDraft, b: ProxyDraft): boolean {
  return (
    a.pool === b.pool &&
    a.host === b.host &&
    a.port === b.port &&
    a.weight === b.weight &&
    a.isDraining === b.isDraining
  );
}

/** Proxies that there may be. */
export interface ProxyBounds {
  readonly perPool: number;
  readonly inAll: number;
}

export interface PutProxyOptions {
  /** Whether the change is rejected when somebody else registered the proxy first. */
  readonly onlyOwn?: boolean;
  /** What a proxy that is new, or moves to another pool, must not exceed, however many do so at the same time. */
  readonly bounds?: ProxyBounds;
}

export interface HealthObservation {
  readonly id: ProxyId;
  readonly health: ProxyHealth;
  readonly detail?: string;
  readonly at: Date;
}

/**
 * The proxies of all pools, with the health that the leader observed. Every method throws
 * {@link StoreUnavailableError} while the store cannot be reached.
 */
export abstract class ProxyStore {
  /**
   * Adds a proxy or updates its place; a new one has health `unknown`, and so has one whose address changed. Only the first
   * registration and changes are recorded as actions. A registration counts as a heartbeat.
   *
   * @throws {ManagedElsewhereError} when it is known from another source
   * @throws {ProxyTakenError} when it is somebody else's, and `onlyOwn`
   * @throws {TooManyProxiesError} when it would exceed the `bounds`
   * @throws {InvalidIdentifierError} when the host is not 1 to 255 characters that a store can keep
   */
  abstract put(
    id: ProxyId,
    source: ProxySource,
    draft: ProxyDraft,
    change: ChangeContext,
    options?: PutProxyOptions,
  ): Promise<Proxy>;

  /**
   * Records a heartbeat of a proxy and what it said, without an action record; undefined when the proxy is not known. Of one that
   * was discovered, only what it said: it may send heartbeats, and does not have to. The time is the store's, like that of a registration: replicas' clocks may be
   * wrong. A proxy whose address changes has said nothing yet.
   */
  abstract heartbeat(id: ProxyId, report: ProxyReport): Promise<Proxy | undefined>;

  /** Milliseconds since the last heartbeat of each registered proxy, by the store's clock. */
  abstract silences(): Promise<ReadonlyMap<ProxyId, number>>;

  /** False when there was no such proxy. */
  abstract remove(id: ProxyId, change: ChangeContext): Promise<boolean>;

  abstract find(id: ProxyId): Promise<Proxy | undefined>;

  /** In order of (pool, id). A few hundred at most. */
  abstract list(): Promise<Proxy[]>;

  /**
   * Stores what was observed; ignores observations of proxies that have been removed or had another address at that time.
   * Changes of health are recorded as actions.
   */
  abstract observe(observations: readonly HealthObservation[], change: ChangeContext): Promise<void>;
}
