import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const CHANNEL = 'net.client.socket';

/** Counts the sockets that this process opens, as Node.js itself tells of them. */
export class SocketCounter implements Disposable {
  readonly #sockets = new Set<Socket>();
  #opened = 0;
  #peak = 0;
  readonly #onSocket = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket };
    this.#opened++;
    this.#sockets.add(socket);
    this.#peak = Math.max(this.#peak, this.open);
  };

  constructor() {
    subscribe(CHANNEL, this.#onSocket);
  }

  /** How many were opened so far. */
  get opened(): number {
    return this.#opened;
  }

  get open(): number {
    return [...this.#sockets].filter((socket) => !socket.destroyed).length;
  }

  /** The most that were open at once. */
  get peak(): number {
    return this.#peak;
  }

  /** Breaks them all, as a network does that fails. */
  cut(): void {
    for (const socket of this.#sockets) {
      socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    }
  }

  [Symbol.dispose](): void {
    unsubscribe(CHANNEL, this.#onSocket);
  }
}
