import { parseNamespaceId } from '@palisade/domain';
import { NamespacePools } from '../../pools/namespace-pools.js';
import { NatsLink, type NatsLinkOptions } from './nats-link.js';

const IDLE_TIMEOUT_MS = 1_000;

/** None that a namespace could have: its users would get what the manager is told. */
const INBOX_PREFIX = '_MANAGER_INBOX';

const MANAGER = parseNamespaceId('manager');

/** A connection of a user who may make streams, for what is asked of it in turn; closed when it is not needed. */
export class NatsManager {
  readonly #pools: NamespacePools<NatsLink>;

  constructor(options: Omit<NatsLinkOptions, 'inboxPrefix'>) {
    this.#pools = new NamespacePools({
      name: 'nats managing',
      driver: {
        connect: (_, signal) => NatsLink.open({ ...options, inboxPrefix: INBOX_PREFIX }, signal),
        isUsable: (link) => link.isOpen,
        close: (link) => link.close(),
        onLost: (link, listener) => link.onLost(listener),
      },
      isShared: true,
      maxTotal: 1,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
    });
  }

  /** Does something over the connection alone. Rejects like an acquisition when it cannot be had. */
  async run<T>(work: (link: NatsLink) => Promise<T>, signal: AbortSignal): Promise<T> {
    using lease = await this.#pools.acquire(MANAGER, signal);
    return await work(lease.connection);
  }
}
