import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const CHANNEL = 'net.client.socket';

/** Counts the sockets that this process opens, as Node.js itself tells of them. */
export class SocketCounter implements Disposable {
  readonly #open = new Set<Socket>();
  #opened = 0;
  readonly #onSocket = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket };
    this.#opened++;
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  };

  constructor() {
    subscribe(CHANNEL, this.#onSocket);
  }

  /** Of all times. */
  get opened(): number {
    return this.#opened;
  }

  get open(): number {
    return this.#open.size;
  }

  [Symbol.dispose](): void {
    unsubscribe(CHANNEL, this.#onSocket);
  }
}
