import { once } from 'node:events';
import type { NamespaceId } from '@palisade/domain';
import type { BackendDriver, ScopeContext } from '@palisade/isolation';
import { MemcachedConnection } from './memcached-connection.js';

const MAX_KEY_LENGTH = 150;

/** Keys of one namespace. Neither a key nor a value can say anything to the server, as both are sent in base64. */
export class ScopedMemcached implements AsyncDisposable {
  private isOver = false;

  constructor(
    private readonly connection: MemcachedConnection,
    private readonly namespace: NamespaceId,
    private readonly context: ScopeContext,
  ) {}

  async get(key: string): Promise<string | undefined> {
    const answer = await this.ask(`get ${this.nameOf(key)}\r\n`);
    using _held = this.context.hold(answer.length);
    const [head = '', value = ''] = answer.split('\r\n');
    this.context.countRows(head.startsWith('VALUE ') ? 1 : 0);
    return head.startsWith('VALUE ') ? Buffer.from(value, 'base64url').toString() : undefined;
  }

  async set(key: string, value: string): Promise<void> {
    const data = Buffer.from(value).toString('base64url');
    using _held = this.context.hold(data.length);
    const answer = await this.ask(`set ${this.nameOf(key)} 0 0 ${data.length}\r\n${data}\r\n`);
    if (answer !== 'STORED\r\n') {
      throw new Error(`memcached did not store the value: ${answer.trim()}`);
    }
  }

  /** What outlives the work must not use the connection, which is somebody else's by then. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.isOver = true;
  }

  private ask(question: string): Promise<string> {
    this.context.signal.throwIfAborted();
    if (this.isOver) {
      throw new Error('the work is over');
    }
    return this.connection.ask(question);
  }

  private nameOf(key: string): string {
    const encoded = Buffer.from(key).toString('base64url');
    if (encoded === '' || encoded.length > MAX_KEY_LENGTH || !key.isWellFormed()) {
      throw new RangeError(`a key has 1 to ${Math.floor((MAX_KEY_LENGTH * 3) / 4)} bytes of UTF-8`);
    }
    return `tenant:${this.namespace}:${encoded}`;
  }
}

export class MemcachedDriver implements BackendDriver<MemcachedConnection, ScopedMemcached> {
  constructor(private readonly port: number) {}

  connect(_namespace: NamespaceId, signal: AbortSignal): Promise<MemcachedConnection> {
    return MemcachedConnection.open(this.port, signal);
  }

  /** Work may end before the answer to what it has asked: that connection is not leased again. */
  isUsable(connection: MemcachedConnection): boolean {
    return connection.isIdle;
  }

  async close({ socket }: MemcachedConnection): Promise<void> {
    if (!socket.closed) {
      const closed = once(socket, 'close');
      socket.destroy();
      await closed;
    }
  }

  onLost({ socket }: MemcachedConnection, listener: () => void): () => void {
    socket.once('close', listener);
    return () => socket.off('close', listener);
  }

  scope(connection: MemcachedConnection, namespace: NamespaceId, context: ScopeContext): ScopedMemcached {
    return new ScopedMemcached(connection, namespace, context);
  }
}
