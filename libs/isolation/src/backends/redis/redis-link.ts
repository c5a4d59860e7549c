import { setImmediate as nextTurn } from 'node:timers/promises';
import { onAbort } from '@palisade/async';
import { ErrorReply, RedisClient, RESP_TYPES } from './redis-package.js';
import { BackendLink } from '../backend-link.js';
import { clientOptions, type RedisConnectOptions } from './redis-options.js';

/** A connection to a Redis server, over which {@link RedisDriver} makes clients. */
export abstract class RedisConnection extends BackendLink {}

/** What a command consists of; texts are sent as UTF-8. */
export type RedisArgument = string | Buffer;

/** Whether strings in replies come as texts (of UTF-8) or as bytes. */
export type ReplyForm = 'text' | 'bytes';

/** Messages and channels come as the server sent them. */
export type MessageListener = (message: Buffer, channel: Buffer) => void;

export interface RedisLinkOptions {
  readonly connect: RedisConnectOptions;
  readonly commandTimeoutMs: number;
}

const REPLY_FORMS = {
  text: { typeMapping: { [RESP_TYPES.MAP]: Map } },
  bytes: { typeMapping: { [RESP_TYPES.MAP]: Map, [RESP_TYPES.BLOB_STRING]: Buffer } },
};

/** Makes clients of one class; `createClient` would make a class of its own for each set of options. */
const createClient = RedisClient.factory({ RESP: 3 });

type Client = ReturnType<typeof createClient>;

/**
 * A connection as scoped clients use it. It speaks RESP3, so that commands can be sent while it is subscribed, and knows when
 * nothing is left of what was done on it.
 */
export class RedisLink extends RedisConnection {
  /** Whether keys are watched. */
  isWatching = false;
  readonly #client: Client;
  readonly #commandTimeoutMs: number;
  #pending = 0;
  #idle: PromiseWithResolvers<void> | undefined = undefined;

  private constructor(client: Client, commandTimeoutMs: number) {
    super('redis');
    this.#client = client;
    this.#commandTimeoutMs = commandTimeoutMs;
    client.on('error', (error: Error) => this.lose(error));
  }

  /** @throws {TypeError} when another driver has made the connection */
  static of(connection: RedisConnection): RedisLink {
    if (!(connection instanceof RedisLink)) {
      throw new TypeError('expected a connection that a RedisDriver has made');
    }
    return connection;
  }

  /** Rejects with the ErrorReply of a server that rejects the login; no socket is left then. */
  static async open({ connect, commandTimeoutMs }: RedisLinkOptions, signal: AbortSignal): Promise<RedisLink> {
    const attempt = new AbortController();
    const client = createClient(clientOptions(connect, attempt.signal));
    const link = new RedisLink(client, commandTimeoutMs);
    using _ = onAbort(signal, () => attempt.abort(signal.reason));
    try {
      await client.connect();
      return link;
    } catch (error) {
      client.destroy();
      await nextTurn();
      throw error;
    }
  }

  /** Whether the connection is open, and as it was when it was new. */
  override get isUsable(): boolean {
    const { isReady, isPubSubActive } = this.#client;
    return super.isUsable && isReady && this.#pending === 0 && !isPubSubActive && !this.isWatching;
  }

  /** The server's reply. Commands are sent in the order of the calls. */
  send(args: readonly RedisArgument[], form: ReplyForm): Promise<unknown> {
    return this.#track(String(args[0]), () => this.#client.sendCommand(args, REPLY_FORMS[form]));
  }

  /** Resolves when the server has subscribed us. */
  subscribe(channel: string, listener: MessageListener): Promise<void> {
    return this.#track('SUBSCRIBE', () => this.#client.subscribe(channel, listener, true));
  }

  unsubscribe(channel: string, listener: MessageListener): Promise<void> {
    return this.#track('UNSUBSCRIBE', () => this.#client.unsubscribe(channel, listener, true));
  }

  subscribePattern(pattern: string, listener: MessageListener): Promise<void> {
    return this.#track('PSUBSCRIBE', () => this.#client.pSubscribe(pattern, listener, true));
  }

  unsubscribePattern(pattern: string, listener: MessageListener): Promise<void> {
    return this.#track('PUNSUBSCRIBE', () => this.#client.pUnsubscribe(pattern, listener, true));
  }

  /** Resolves when the server has answered all that was sent. */
  settled(): Promise<void> {
    if (this.#pending === 0) {
      return Promise.resolve();
    }
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
  }

  protected override abort(): void {
    this.#client.destroy();
  }

  protected async destroy(): Promise<void> {
    this.#client.destroy();
    await nextTurn(); // by then its descriptor is closed
  }

  async #track<T>(operation: string, start: () => Promise<T>): Promise<T> {
    this.requireOpen();
    using _ = this.expectAnswer(operation, this.#commandTimeoutMs);
    this.#pending++;
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof ErrorReply)) {
        this.requireOpen();
      }
      throw error;
    } finally {
      this.#pending--;
      if (this.#pending === 0) {
        this.#idle?.resolve();
        this.#idle = undefined;
      }
    }
  }
}
