import type { NamespaceId, TenantId } from '@palisade/domain';
import type { ConnectionDriver, Credentials } from '../../src/pools/connection-driver.js';
import { NamespaceRejectedError } from '../../src/pools/pool.errors.js';
import type { Clock } from '@palisade/async';

/** One connection to nothing. */
export class FakeConnection {
  isBroken = false;
  isDirty = false;
  isClosed = false;
  /** Told to by the driver's user through `onLost`. */
  lose: () => void = () => {};

  constructor(
    readonly number: number,
    readonly namespace: NamespaceId,
    readonly credentials?: Credentials,
    /** Undefined when nobody has told the driver of tenants. */
    readonly tenantId?: TenantId,
  ) {}
}

export interface FakeDriverOptions {
  readonly clock: Clock;
  readonly connectMs?: number;
  readonly closeMs?: number;
  /** Absent: connections need no cleaning. */
  readonly resetMs?: number;
}

/** Makes connections that take some time to open and close, counts sockets, and fails when told to. */
export class FakeDriver implements ConnectionDriver<FakeConnection> {
  /** Sockets that exist, from the attempt to connect until closed. */
  readonly sockets = new Map<NamespaceId, number>();
  readonly connections = new Set<FakeConnection>();
  total = 0;
  peak = 0;
  attempts = 0;
  /** Fails attempts to connect when they would succeed. */
  failure: ((namespace: NamespaceId) => unknown) | undefined = undefined;
  resetFailure: unknown = undefined;
  /** Called when an attempt to connect begins, which counts already. */
  onConnect: (namespace: NamespaceId) => void = () => {};
  readonly reset?: (connection: FakeConnection) => Promise<void>;
  #tenantOf: ((namespace: NamespaceId) => TenantId) | undefined = undefined;
  readonly #options: Required<Omit<FakeDriverOptions, 'resetMs'>>;

  constructor({ clock, connectMs = 5, closeMs = 1, resetMs }: FakeDriverOptions) {
    this.#options = { clock, connectMs, closeMs };
    if (resetMs !== undefined) {
      this.reset = (connection) => this.#clean(connection, resetMs);
    }
  }

  followTenants(tenantOf: (namespace: NamespaceId) => TenantId): void {
    this.#tenantOf = tenantOf;
  }

  async connect(namespace: NamespaceId, signal: AbortSignal, credentials?: Credentials): Promise<FakeConnection> {
    const tenantId = this.#findTenant(namespace);
    this.attempts++;
    this.#count(namespace, 1);
    this.onConnect(namespace);
    await this.#pause(this.#options.connectMs, signal);
    const failure = signal.aborted ? signal.reason : this.failure?.(namespace);
    if (failure !== undefined) {
      this.#count(namespace, -1);
      throw failure;
    }
    const connection = new FakeConnection(this.attempts, namespace, credentials, tenantId);
    this.connections.add(connection);
    return connection;
  }

  #findTenant(namespace: NamespaceId): TenantId | undefined {
    try {
      return this.#tenantOf?.(namespace);
    } catch (error) {
      throw new NamespaceRejectedError(namespace, { cause: error });
    }
  }

  isUsable(connection: FakeConnection): boolean {
    return !connection.isBroken;
  }

  async close(connection: FakeConnection): Promise<void> {
    if (connection.isClosed) {
      throw new Error(`connection ${connection.number} was closed twice`);
    }
    connection.isClosed = true;
    await this.#pause(this.#options.closeMs);
    this.connections.delete(connection);
    this.#count(connection.namespace, -1);
  }

  onLost(connection: FakeConnection, listener: () => void): void {
    connection.lose = () => {
      connection.isBroken = true;
      listener();
    };
  }

  async #clean(connection: FakeConnection, resetMs: number): Promise<void> {
    await this.#pause(resetMs);
    if (this.resetFailure !== undefined) {
      throw this.resetFailure;
    }
    connection.isDirty = false;
  }

  #count(namespace: NamespaceId, difference: number): void {
    const sockets = (this.sockets.get(namespace) ?? 0) + difference;
    this.sockets.set(namespace, sockets);
    this.total += difference;
    this.peak = Math.max(this.peak, this.total);
  }

  #pause(forMs: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#options.clock.setTimer(resolve, forMs);
    signal?.addEventListener('abort', () => {
      timer.cancel();
      resolve();
    });
    return promise;
  }
}
