import { ConnectionLostError } from '../backend.errors.js';
import { ClientSockets, closeClient, type KafkaClient } from './client-sockets.js';
import type { KafkaTimings } from './kafka-options.js';

export interface SideClientOptions<C extends KafkaClient> {
  readonly client: C;
  /** Aborts when the connection closes. */
  readonly signal: AbortSignal;
  readonly timings: KafkaTimings;
  readonly onClosed: () => void;
}

/** A client beside the producer, with sockets of its own: a consumer, or the producer of a transaction. */
export class SideClient<C extends KafkaClient> implements AsyncDisposable {
  readonly client: C;
  /** Aborts when the client has to end: the connection closes, or no broker was there for some time. */
  readonly signal: AbortSignal;
  readonly sockets: ClientSockets;
  readonly #options: SideClientOptions<C>;
  readonly #lost = new AbortController();
  #outage: NodeJS.Timeout | undefined = undefined;
  #ending: Promise<void> | undefined = undefined;

  constructor(options: SideClientOptions<C>) {
    this.#options = options;
    this.client = options.client;
    this.signal = AbortSignal.any([options.signal, this.#lost.signal]);
    this.sockets = new ClientSockets({
      onConnected: () => this.#endOutage(),
      onLost: () => this.#beginOutage(),
    });
    this.sockets.watch(options.client.connections);
  }

  /** Leaves its group, for as long as closing may take, and closes its sockets. Never rejects. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /** Attempts to connect again fail one after the other; only the first begins it. */
  #beginOutage(): void {
    if (this.#ending === undefined) {
      const error = new ConnectionLostError('kafka', { cause: new Error('no broker could be reached again') });
      this.#outage ??= setTimeout(() => this.#lost.abort(error), this.#options.timings.outageTimeoutMs);
    }
  }

  #endOutage(): void {
    clearTimeout(this.#outage);
    this.#outage = undefined;
  }

  async #end(): Promise<void> {
    const { client, timings, onClosed } = this.#options;
    this.#endOutage();
    await closeClient(() => client.close(true), this.sockets, timings.closeTimeoutMs);
    onClosed();
  }
}
