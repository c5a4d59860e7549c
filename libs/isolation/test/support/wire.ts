import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a client and the server, and can cut or stop what passes. */
export class Wire implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isStopped = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(to: number): Promise<Wire> {
    const server = createServer().listen(0, '127.0.0.1');
    const wire = new Wire(server);
    server.on('connection', (client) => wire.#connect(client, to));
    await once(server, 'listening');
    return wire;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  get connections(): number {
    return [...this.#sockets].filter((socket) => !socket.destroyed).length;
  }

  cut(): void {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  /** From now on nothing passes, and nobody is told. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Passes on what is sent from now on; what was sent meanwhile is lost. */
  resume(): void {
    this.#isStopped = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await once(this.#server.close(), 'close');
  }

  #connect(client: Socket, to: number): void {
    this.#sockets.add(client);
    client.on('error', () => {});
    const server = connect(to, '127.0.0.1');
    server.on('error', () => {});
    this.#pass(client, server);
    this.#pass(server, client);
  }

  #pass(from: Socket, to: Socket): void {
    from.on('data', (data) => this.#isStopped || to.write(data));
    from.on('close', () => to.destroy());
  }
}
