import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Msg, MsgHdrs, NatsConnection as Client, Subscription } from '@nats-io/transport-node';
import { connect, PermissionViolationError } from './nats-package.js';
import { onAbort } from '@palisade/async';
import { ConnectionLostError } from '../backend.errors.js';
import { BackendLink } from '../backend-link.js';
import { connectionOptions, type NatsConnectOptions } from './nats-options.js';
import { OpenedSockets } from './opened-sockets.js';

/** A connection to a NATS server, over which {@link NatsDriver} makes clients. */
export abstract class NatsConnection extends BackendLink {}

export interface NatsLinkOptions {
  readonly connect: NatsConnectOptions;
  readonly inboxPrefix: string;
  /** How long servers may take to confirm. */
  readonly confirmTimeoutMs: number;
}

export interface OutgoingMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers?: MsgHdrs;
}

/** What a subscription is told. */
export interface MessageHandler {
  onMessage(message: Msg): void;
  /** Says why no more messages come; that the connection is lost also when it was unsubscribed. */
  onEnd(error: unknown): void;
}

/** A message that a server has not confirmed yet, and may have rejected. */
interface Unconfirmed {
  readonly subject: string;
  rejection?: Error;
}

/** A connection as scoped clients use it, many at a time. */
export class NatsLink extends NatsConnection {
  readonly inboxPrefix: string;
  readonly #client: Client;
  readonly #sockets: OpenedSockets;
  readonly #confirmTimeoutMs: number;
  readonly #unconfirmed = new Set<Unconfirmed>();
  #confirming: Promise<void> | undefined = undefined;

  private constructor(client: Client, sockets: OpenedSockets, options: NatsLinkOptions) {
    super('nats');
    this.#client = client;
    this.#sockets = sockets;
    this.#confirmTimeoutMs = options.confirmTimeoutMs;
    this.inboxPrefix = options.inboxPrefix;
    void this.#watch(); // never rejects
    void client.closed().then((error) => this.lose(error)); // never rejects
  }

  /** @throws {TypeError} when another driver has made the connection */
  static of(connection: NatsConnection): NatsLink {
    if (!(connection instanceof NatsLink)) {
      throw new TypeError('expected a connection that a NatsDriver has made');
    }
    return connection;
  }

  /** Rejects with the reason when the server rejects the login or cannot be reached; no socket is left then. */
  static async open(options: NatsLinkOptions, signal: AbortSignal): Promise<NatsLink> {
    const sockets = new OpenedSockets();
    const attempt = new AbortController();
    using _ = onAbort(signal, () => {
      attempt.abort(signal.reason);
      void sockets.destroy(); // has the attempt fail, which is awaited
    });
    try {
      const given = connectionOptions(options.connect, options.inboxPrefix, attempt.signal);
      const client = await sockets.during(() => connect(given));
      return new NatsLink(client, sockets, options);
    } catch (error) {
      attempt.abort();
      await sockets.destroy();
      throw signal.aborted ? signal.reason : error;
    }
  }

  override get isUsable(): boolean {
    return super.isUsable && !this.#client.isClosed();
  }

  /** For JetStream's client, which works over it. */
  get client(): Client {
    return this.#client;
  }

  /**
   * Resolves when the server has the message; subscribers get it at most once.
   *
   * @throws {PermissionViolationError} when the user may not publish there
   */
  async publish({ subject, data, headers }: OutgoingMessage): Promise<void> {
    this.requireOpen();
    const message: Unconfirmed = { subject };
    this.#unconfirmed.add(message);
    try {
      this.#client.publish(subject, data, { headers });
      await this.confirmed();
    } finally {
      this.#unconfirmed.delete(message);
    }
    if (message.rejection !== undefined) {
      throw message.rejection;
    }
  }

  /** The first reply. Rejects as the client beneath does. */
  request({ subject, data, headers }: OutgoingMessage, timeoutMs: number): Promise<Msg> {
    this.requireOpen();
    return this.unlessLost(this.#client.request(subject, data, { headers, timeout: timeoutMs }));
  }

  subscribe(subject: string, queue: string | undefined, handler: MessageHandler): Subscription {
    this.requireOpen();
    const subscription = this.#client.subscribe(subject, {
      queue,
      callback: (error, message) => (error === null ? handler.onMessage(message) : handler.onEnd(error)),
    });
    void subscription.closed.then((error) => handler.onEnd(error ?? new ConnectionLostError(this.backend))); // never rejects
    return subscription;
  }

  /** Resolves when the server has everything that was sent before. Those who ask in the same turn share the question. */
  confirmed(): Promise<void> {
    this.#confirming ??= this.#confirm();
    return this.#confirming;
  }

  async #confirm(): Promise<void> {
    await Promise.resolve(); // whatever else is sent in this turn
    this.#confirming = undefined;
    this.requireOpen();
    {
      using _ = this.expectAnswer('PING', this.#confirmTimeoutMs);
      await this.unlessLost(this.#client.flush());
    }
    await nextTurn(); // what the server has rejected before is known by then
  }

  async #watch(): Promise<void> {
    for await (const status of this.#client.status()) {
      if (status.type === 'error') {
        this.#reject(status.error);
      } else if (status.type === 'disconnect' || status.type === 'staleConnection') {
        this.lose(new Error(status.type));
      }
    }
  }

  #reject(error: Error): void {
    if (error instanceof PermissionViolationError && error.operation === 'publish') {
      for (const message of this.#unconfirmed) {
        if (message.subject === error.subject) {
          message.rejection = error;
        }
      }
    }
  }

  protected override requireOpen(): void {
    super.requireOpen();
    if (this.#client.isClosed()) {
      throw new ConnectionLostError(this.backend);
    }
  }

  protected override abort(): void {
    void this.#client.close(); // never rejects
  }

  protected async destroy(): Promise<void> {
    await this.#client.close();
    await this.#sockets.destroy();
  }
}
