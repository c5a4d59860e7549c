import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Passes connections on to a server. A frozen one acknowledges what it gets and passes nothing on, like a dead path. */
export class Relay implements AsyncDisposable {
  readonly url: string;
  private isFrozen = false;
  private readonly pairs = new Set<readonly [Socket, Socket]>();

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    target: URL,
  ) {
    server.on('connection', (socket) => this.pass(socket, connect(Number(target.port) || 5432, target.hostname)));
    const url = new URL(target);
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    this.url = url.href;
  }

  static async start(url: string): Promise<Relay> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Relay(server, new URL(url));
  }

  /** Those that are open now; later ones are passed on. */
  freezeConnections(): void {
    for (const [client, server] of this.pairs) {
      client.unpipe(server).resume();
      server.unpipe(client).resume();
    }
  }

  /** All, also those to come. */
  freeze(): void {
    this.isFrozen = true;
    this.freezeConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.pairs.forEach((sockets) => sockets.forEach((socket) => socket.destroy()));
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(client: Socket, server: Socket): void {
    const pair = [client, server] as const;
    this.pairs.add(pair);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      if (this.isFrozen) {
        socket.resume();
      } else {
        socket.pipe(other);
      }
      socket.on('error', () => {});
      socket.on('close', () => {
        other.destroy();
        this.pairs.delete(pair);
      });
    }
  }
}
