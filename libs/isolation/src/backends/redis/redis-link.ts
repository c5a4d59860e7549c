import { setImmediate as nextTurn } from 'node:timers/promises';
import { ErrorReply, RedisClient, RESP_TYPES } from 'redis';
import { BackendTimeoutError, ConnectionLostError } from '../backend.errors.js';
import { clientOptions, type RedisConnectOptions } from './redis-options.js';

/** A connection to a Redis server. All that can be done with it is to have {@link RedisDriver} make a client over it. */
export abstract class RedisConnection {
  protected readonly backend = 'redis';
}

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

const BACKEND = 'redis';
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
  readonly #lostListeners = new Set<() => void>();
  #pending = 0;
  #idle: PromiseWithResolvers<void> | undefined = undefined;
  #failure: Error | undefined = undefined;

  private constructor(client: Client, commandTimeoutMs: number) {
    super();
    this.#client = client;
    this.#commandTimeoutMs = commandTimeoutMs;
    client.on('error', (error: Error) => this.#fail(new ConnectionLostError(BACKEND, { cause: error })));
  }

  /** What a connection is beneath. @throws {TypeError} when it is one of another kind */
  static of(connection: RedisConnection): RedisLink {
    if (!(connection instanceof RedisLink)) {
      throw new TypeError('expected a connection that a RedisDriver has made');
    }
    return connection;
  }

  /** Rejects with the server's ErrorReply when that refuses; no socket is left then. */
  static async open({ connect, commandTimeoutMs }: RedisLinkOptions, signal: AbortSignal): Promise<RedisLink> {
    signal.throwIfAborted();
    const attempt = new AbortController();
    const abort = () => attempt.abort(signal.reason);
    const client = createClient(clientOptions(connect, attempt.signal));
    const link = new RedisLink(client, commandTimeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    try {
      await client.connect();
      return link;
    } catch (error) {
      client.destroy();
      await nextTurn();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Whether the connection is open, and as it was when it was new. */
  get isClean(): boolean {
    const { isReady, isPubSubActive } = this.#client;
    return this.#failure === undefined && isReady && this.#pending === 0 && !isPubSubActive && !this.isWatching;
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

  /** Calls back once when the connection has ended by itself, or was given up because the server did not answer. */
  onLost(listener: () => void): () => void {
    this.#lostListeners.add(listener);
    return () => this.#lostListeners.delete(listener);
  }

  /** Closes the socket, whatever is under way. */
  async close(): Promise<void> {
    this.#lostListeners.clear();
    this.#failure ??= new ConnectionLostError(BACKEND, { cause: new Error('it was closed') });
    this.#client.destroy();
    await nextTurn(); // by then its descriptor is closed
  }

  async #track<T>(operation: string, start: () => Promise<T>): Promise<T> {
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    const limitMs = this.#commandTimeoutMs;
    const timer = setTimeout(() => this.#fail(new BackendTimeoutError(BACKEND, operation, limitMs)), limitMs);
    this.#pending++;
    try {
      return await start();
    } catch (error) {
      throw error instanceof ErrorReply ? error : (this.#failure ?? error);
    } finally {
      clearTimeout(timer);
      this.#pending--;
      if (this.#pending === 0) {
        this.#idle?.resolve();
        this.#idle = undefined;
      }
    }
  }

  #fail(failure: Error): void {
    if (this.#failure === undefined) {
      this.#failure = failure;
      this.#client.destroy();
      for (const listener of this.#lostListeners) {
        listener();
      }
    }
  }
}
