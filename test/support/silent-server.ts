import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Accepts connections and says nothing on them. */
export class SilentServer implements AsyncDisposable {
  connections = 0;
  private readonly server = createServer((socket) => {
    this.connections += 1;
    socket.on('error', () => {}); // the process that is tested ends
    socket.resume();
    this.sockets.defer(() => void socket.destroy());
  });
  private readonly sockets = new DisposableStack();

  static async start(): Promise<SilentServer> {
    const silent = new SilentServer();
    silent.server.listen(0, '127.0.0.1');
    await once(silent.server, 'listening');
    return silent;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.sockets.dispose();
    this.server.close();
    await once(this.server, 'close');
  }
}
