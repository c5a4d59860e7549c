import type { ChangeContext } from '../audit/audit-event.js';
import type { ProxyId } from '../identifiers.js';
import type { Proxy, ProxyDraft, ProxyHealth, ProxySource } from '../tenancy/proxy.js';

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
   * Adds a proxy or says anew where it is; a new one has health `unknown`, and so has one whose address changed. Only the
   * first registration and changes are recorded as actions. From the source `registration` it is a sign of life.
   *
   * @throws {ManagedElsewhereError} when it is known from another source
   * @throws {InvalidIdentifierError} when the host is not 1 to 255 characters that a store can keep
   */
  abstract put(id: ProxyId, source: ProxySource, draft: ProxyDraft, change: ChangeContext): Promise<Proxy>;

  /**
   * Notes a sign of life of a registered proxy; undefined when it is not registered, or known from another source. Not
   * recorded as an action.
   */
  abstract heartbeat(id: ProxyId, at: Date): Promise<Proxy | undefined>;

  /** False when there was no such proxy. */
  abstract remove(id: ProxyId, change: ChangeContext): Promise<boolean>;

  abstract find(id: ProxyId): Promise<Proxy | undefined>;

  /** In order of (pool, id). A few hundred at most. */
  abstract list(): Promise<Proxy[]>;

  /**
   * Keeps what was observed; of proxies that are gone meanwhile, or were at another address at that time, nothing. Changes
   * of health are recorded as actions.
   */
  abstract observe(observations: readonly HealthObservation[], change: ChangeContext): Promise<void>;
}
