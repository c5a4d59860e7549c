import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Lines that end an answer of the text protocol. */
const END = /(?:^|\r\n)(?:END|STORED|(?:CLIENT_|SERVER_)?ERROR[^\r\n]*)\r\n$/;
const MAX_ANSWER_LENGTH = 2_097_152;

/** One connection to memcached, which is asked one thing at a time. */
export class MemcachedConnection {
  private asked: PromiseWithResolvers<string> | undefined;
  private received = '';

  private constructor(readonly socket: Socket) {
    socket.setEncoding('latin1').on('data', (text: string) => this.receive(text));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.asked?.reject(new Error('the connection to memcached ended')));
  }

  static async open(port: number, signal: AbortSignal): Promise<MemcachedConnection> {
    const socket = connect({ host: '127.0.0.1', port, signal });
    await once(socket, 'connect', { signal });
    return new MemcachedConnection(socket);
  }

  get isIdle(): boolean {
    return this.asked === undefined && this.received === '' && !this.socket.destroyed;
  }

  async ask(question: string): Promise<string> {
    if (!this.isIdle) {
      throw new Error('the connection to memcached is busy, or has ended');
    }
    this.asked = Promise.withResolvers<string>();
    try {
      this.socket.write(question, 'latin1');
      return await this.asked.promise;
    } finally {
      this.asked = undefined;
    }
  }

  private receive(text: string): void {
    this.received += text;
    if (this.received.length > MAX_ANSWER_LENGTH || this.asked === undefined) {
      this.socket.destroy();
    } else if (END.test(this.received.slice(-1024))) {
      this.asked.resolve(this.received);
      this.received = '';
    }
  }
}
