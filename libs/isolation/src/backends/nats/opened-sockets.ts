import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

const current = new AsyncLocalStorage<OpenedSockets>();

/** Node tells here of each TCP connection that it begins. */
const NEW_SOCKET = 'net.client.socket';

subscribe(NEW_SOCKET, (message) => {
  current.getStore()?.add((message as { readonly socket: Socket }).socket);
});

/**
 * The TCP connections that a client opens which does not give them away: with them an attempt can be ended at any moment,
 * also while the server is silent, and one can wait for the end of a connection.
 */
export class OpenedSockets {
  readonly #sockets = new Set<Socket>();
  #state: 'collecting' | 'complete' | 'destroyed' = 'collecting';

  /** Calls `connect`, whose connections belong here, whenever it begins them before it settles. */
  async during<T>(connect: () => Promise<T>): Promise<T> {
    try {
      return await current.run(this, connect);
    } finally {
      if (this.#state === 'collecting') {
        this.#state = 'complete';
      }
    }
  }

  add(socket: Socket): void {
    if (this.#state === 'destroyed') {
      // Its connection is begun only after this, which would undo the destruction.
      setImmediate(() => socket.destroy());
    }
    if (this.#state !== 'complete') {
      this.#sockets.add(socket);
    }
  }

  /** Resolves when all are closed. */
  async destroy(): Promise<void> {
    this.#state = 'destroyed';
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    // Clients remove listeners, others' too: there may be nobody left to be told.
    while ([...this.#sockets].some((socket) => !socket.closed)) {
      await nextTurn();
    }
  }
}
