import { SYSTEM_CLOCK, within } from '@palisade/async';
import type { Connection, ConnectionPool } from '@platformatic/kafka';

export interface ClientSocketsListener {
  /** Something went wrong on one of them. Those who wait for an answer on it are told only that none comes. */
  onError(error: Error): void;
  /** One of them is there, and lets us in. */
  onConnected(): void;
  /** The last of them has closed. */
  onLost(): void;
}

/** The connections of a client of Kafka, to whichever brokers it talks. */
export class ClientSockets {
  readonly #connections = new Set<Connection>();
  readonly #listener: Partial<ClientSocketsListener>;
  #idle: PromiseWithResolvers<void> | undefined = undefined;

  constructor(listener: Partial<ClientSocketsListener> = {}) {
    this.#listener = listener;
  }

  /** How many there are, from the attempt to connect until closed. */
  get count(): number {
    return this.#connections.size;
  }

  /** To be called before the pool makes its first connection. */
  watch(pool: ConnectionPool): void {
    pool.on('connect', () => this.#listener.onConnected?.());
    pool.on('connecting', ({ connection }) => {
      this.#connections.add(connection);
      // The client listens for the first error only; another one would end the process.
      connection.on('error', (error) => {
        this.#forgetWhenClosed(connection);
        this.#listener.onError?.(error);
      });
      connection.once('close', () => this.#forget(connection));
    });
  }

  /** Closes them all, whatever they are doing; resolves when they are closed. */
  async destroy(): Promise<void> {
    for (const connection of this.#connections) {
      if (connection.socket === undefined) {
        this.#forget(connection);
      } else {
        this.#forgetWhenClosed(connection);
        connection.socket.destroy();
      }
    }
    if (this.#connections.size > 0) {
      this.#idle ??= Promise.withResolvers();
      await this.#idle.promise;
    }
  }

  /** A connection that never came about does not say that it is closed; its socket does. */
  #forgetWhenClosed(connection: Connection): void {
    if (connection.socket.closed) {
      this.#forget(connection);
    } else {
      connection.socket.once('close', () => this.#forget(connection));
    }
  }

  #forget(connection: Connection): void {
    if (this.#connections.delete(connection) && this.#connections.size === 0) {
      this.#idle?.resolve();
      this.#idle = undefined;
      this.#listener.onLost?.();
    }
  }
}

/** What producers and consumers have in common. */
export interface KafkaClient {
  readonly connections: ConnectionPool;
  close(force: boolean): Promise<void>;
}

/** Has the client leave its groups and close within the time, then closes what is left of its sockets. Never rejects. */
export async function closeClient(
  close: () => Promise<void>,
  sockets: ClientSockets,
  timeoutMs: number,
): Promise<void> {
  await settleWithin(timeoutMs, close());
  await sockets.destroy();
}

/** Resolves when the promise has settled, or the time is over. */
export async function settleWithin(timeoutMs: number, promise: Promise<unknown>): Promise<void> {
  await within(timeoutMs, SYSTEM_CLOCK, promise, () => undefined).catch(() => {}); // either is as good
}
