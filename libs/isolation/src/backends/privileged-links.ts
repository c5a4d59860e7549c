import { parseNamespaceId } from '@palisade/domain';
import { NamespacePools } from '../pools/namespace-pools.js';
import type { BackendLink } from './backend-link.js';

export interface PrivilegedLinksOptions<L> {
  /** What errors call them. */
  readonly name: string;
  readonly maxConnections: number;
  readonly open: (signal: AbortSignal) => Promise<L>;
}

const IDLE_TIMEOUT_MS = 1_000;

/** Stands for all namespaces, which share these connections. */
const EVERYBODY = parseNamespaceId('everybody');

/**
 * A few connections of a user who may do what the users of namespaces may not, for work of all namespaces in turn. They
 * are closed when nobody needs them.
 */
export class PrivilegedLinks<L extends BackendLink> {
  readonly #pools: NamespacePools<L>;

  constructor({ name, maxConnections, open }: PrivilegedLinksOptions<L>) {
    this.#pools = new NamespacePools({
      name,
      driver: {
        connect: (_, signal) => open(signal),
        isUsable: (link) => link.isUsable,
        close: (link) => link.close(),
        onLost: (link, listener) => link.onLost(listener),
      },
      isShared: true,
      maxTotal: maxConnections,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
    });
  }

  /** Does something over a connection that nobody else uses meanwhile. Rejects as an acquisition does. */
  async run<T>(work: (link: L) => Promise<T>, signal: AbortSignal): Promise<T> {
    using lease = await this.#pools.acquire(EVERYBODY, signal);
    return await work(lease.connection);
  }
}
