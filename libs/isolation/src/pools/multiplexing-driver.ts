import type { NamespaceId, TenantId } from '@palisade/domain';
import { untilAborted } from '@palisade/async';
import type { ConnectionDriver } from './connection-driver.js';

/** One connection that many have, from the attempt to open it until its socket has closed. */
class SharedConnection<C> {
  readonly attempt = new AbortController();
  readonly opened: Promise<C>;
  readonly lostListeners = new Set<() => void>();
  /** Those who have the connection or wait for it. */
  users = 0;
  isLost = false;
  raw: C | undefined = undefined;

  constructor(
    readonly namespace: NamespaceId,
    readonly tenantId: TenantId | undefined,
    connect: (shared: SharedConnection<C>) => Promise<C>,
  ) {
    this.opened = connect(this);
  }
}

/**
 * Makes all connections of a namespace one: the first `connect` opens it, others join it, and the last `close` closes it.
 * So a pool over this driver has one socket for each namespace, however many leases there are, and its limits count pieces
 * of work under way.
 *
 * - Those who connect while an attempt is under way wait for it together. One who aborts leaves the others alone; when
 *   nobody waits any more, the attempt is aborted.
 * - A connection that is lost is lost for all who have it. Whoever connects after that opens another one.
 * - A namespace opens a connection only when its former one has closed or is lost, or when it has got another tenant.
 * - Nothing is cleaned between leases, because others are at work on the same connection. So what leases do on it must
 *   leave nothing behind.
 */
export class MultiplexingDriver<C> implements ConnectionDriver<C> {
  readonly #driver: ConnectionDriver<C>;
  /** Those that can be joined. */
  readonly #current = new Map<NamespaceId, SharedConnection<C>>();
  readonly #open = new Map<C, SharedConnection<C>>();
  readonly #closing = new Map<NamespaceId, Promise<unknown>>();

  constructor(
    driver: ConnectionDriver<C>,
    private readonly tenantOf: (namespace: NamespaceId) => TenantId | undefined = () => undefined,
  ) {
    this.#driver = driver;
  }

  async connect(namespace: NamespaceId, signal: AbortSignal): Promise<C> {
    signal.throwIfAborted();
    const shared = this.#findJoinable(namespace) ?? this.#begin(namespace);
    shared.users++;
    try {
      return await untilAborted(shared.opened, signal);
    } catch (error) {
      await this.#leave(shared);
      throw error;
    }
  }

  isUsable(connection: C): boolean {
    return this.#open.get(connection)?.isLost === false && this.#driver.isUsable(connection);
  }

  /** Settles at once unless it was the last that had the connection. */
  async close(connection: C): Promise<void> {
    const shared = this.#open.get(connection);
    if (shared !== undefined) {
      await this.#leave(shared);
    }
  }

  onLost(connection: C, listener: () => void): () => void {
    const listeners = this.#open.get(connection)?.lostListeners;
    listeners?.add(listener);
    return () => listeners?.delete(listener);
  }

  #findJoinable(namespace: NamespaceId): SharedConnection<C> | undefined {
    const shared = this.#current.get(namespace);
    if (shared === undefined) {
      return undefined;
    }
    const isLost = shared.raw !== undefined && !this.isUsable(shared.raw);
    if (isLost || shared.tenantId !== this.tenantOf(namespace)) {
      this.#retire(shared);
      return undefined;
    }
    return shared;
  }

  #begin(namespace: NamespaceId): SharedConnection<C> {
    const shared = new SharedConnection<C>(namespace, this.tenantOf(namespace), (self) => this.#connect(self));
    this.#current.set(namespace, shared);
    shared.opened.catch(() => this.#retire(shared)); // those who wait for it are told
    return shared;
  }

  async #connect(shared: SharedConnection<C>): Promise<C> {
    const { namespace, attempt } = shared;
    await this.#closing.get(namespace);
    attempt.signal.throwIfAborted();
    const raw = await this.#driver.connect(namespace, attempt.signal);
    shared.raw = raw;
    this.#open.set(raw, shared);
    this.#driver.onLost?.(raw, () => this.#lose(shared));
    return raw;
  }

  #lose(shared: SharedConnection<C>): void {
    shared.isLost = true;
    for (const listener of shared.lostListeners) {
      listener();
    }
  }

  /** Nobody joins it any more. */
  #retire(shared: SharedConnection<C>): void {
    if (this.#current.get(shared.namespace) === shared) {
      this.#current.delete(shared.namespace);
    }
  }

  async #leave(shared: SharedConnection<C>): Promise<void> {
    shared.users--;
    if (shared.users > 0) {
      return;
    }
    const { namespace } = shared;
    this.#retire(shared);
    shared.attempt.abort();
    const closing = Promise.all([this.#closing.get(namespace), this.#end(shared)]);
    this.#closing.set(namespace, closing);
    await closing;
    if (this.#closing.get(namespace) === closing) {
      this.#closing.delete(namespace);
    }
  }

  async #end(shared: SharedConnection<C>): Promise<void> {
    try {
      const raw = await shared.opened;
      this.#open.delete(raw);
      await this.#driver.close(raw);
    } catch {
      // It was not opened after all, or nothing is left that could be done for it.
    }
  }
}
