import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const LENGTH_BYTES = 4;
const QUERY = 'Q'.charCodeAt(0);
const EXECUTE = 'E'.charCodeAt(0);

/**
 * A proxy in front of PostgreSQL that counts the statements which clients have executed, with either protocol (simple
 * or extended); begin and commit count as statements too.
 */
export class StatementCounter {
  count = 0;
  #sockets = new Set();
  #server;

  /** @param {string} databaseUrl */
  constructor(databaseUrl) {
    const { hostname, port } = new URL(databaseUrl);
    this.databaseUrl = databaseUrl;
    this.#server = createServer((client) => this.#forward(client, connect(Number(port || 5432), hostname)));
  }

  /** @returns {Promise<string>} URL of the same database through the proxy */
  async listen() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const url = new URL(this.databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String(/** @type {import('node:net').AddressInfo} */ (this.#server.address()).port);
    return url.href;
  }

  close() {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    this.#server.close();
  }

  /** @param {import('node:net').Socket} client @param {import('node:net').Socket} database */
  #forward(client, database) {
    const read = readMessages((type) => {
      this.count += type === QUERY || type === EXECUTE ? 1 : 0;
    });
    client.on('data', read);
    client.pipe(database).pipe(client);
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ]) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}

/**
 * Follows the frontend's messages: one without a type (the start-up), then each with a type and its length.
 *
 * @param {(type: number) => void} onMessage
 * @returns {(chunk: Buffer) => void}
 */
function readMessages(onMessage) {
  let pending = Buffer.alloc(0);
  let typeBytes = 0;
  return (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= typeBytes + LENGTH_BYTES) {
      const end = typeBytes + pending.readUInt32BE(typeBytes);
      if (pending.length < end) {
        return;
      }
      if (typeBytes > 0) {
        onMessage(pending.readUInt8());
      }
      typeBytes = 1;
      pending = pending.subarray(end);
    }
  };
}
