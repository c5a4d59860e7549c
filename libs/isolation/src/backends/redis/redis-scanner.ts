import { untilAborted } from '@palisade/async';
import { parseNamespaceId } from '@palisade/domain';
import { NamespacePools } from '../../pools/namespace-pools.js';
import { type RedisArgument, RedisLink, type RedisLinkOptions } from './redis-link.js';

const MAX_CONNECTIONS = 2;
const IDLE_TIMEOUT_MS = 1_000;

const EVERYBODY = parseNamespaceId('everybody');

/** Connections of a user who may scan, for commands of all namespaces in turn: two at most, closed when not needed. */
export class RedisScanner {
  readonly #pools: NamespacePools<RedisLink>;

  constructor(options: RedisLinkOptions) {
    this.#pools = new NamespacePools({
      name: 'redis scanning',
      driver: {
        connect: (_, signal) => RedisLink.open(options, signal),
        isUsable: (link) => link.isClean,
        close: (link) => link.close(),
        onLost: (link, listener) => link.onLost(listener),
      },
      isShared: true,
      maxTotal: MAX_CONNECTIONS,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
    });
  }

  /** The reply, with strings as bytes. Rejects like an acquisition when no connection can be had. */
  async send(args: readonly RedisArgument[], signal: AbortSignal): Promise<unknown> {
    using lease = await this.#pools.acquire(EVERYBODY, signal);
    return await untilAborted(lease.connection.send(args, 'bytes'), signal);
  }
}
