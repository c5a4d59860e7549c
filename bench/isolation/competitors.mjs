import { EventEmitter } from 'node:events';

/**
 * A pool of connections to nothing, with what one cycle of acquiring and releasing is to it.
 *
 * @typedef {object} Competitor
 * @property {string} name
 * @property {() => Promise<void>} cycle
 * @property {() => Promise<unknown>} close
 */

/** As much of a `Client` of `pg` as `pg-pool` touches. */
class NullClient extends EventEmitter {
  _queryable = true;
  _ending = false;

  /** @param {(error?: Error) => void} callback */
  connect(callback) {
    setImmediate(callback);
  }

  /** @param {() => void} callback */
  end(callback) {
    setImmediate(callback);
  }

  ref() {}
  unref() {}
}

/** Makes connections to nothing that need no cleaning. */
export const NULL_DRIVER = {
  connect: async () => ({}),
  isUsable: () => true,
  close: async () => {},
};

/**
 * All of them with the same number of connections at most; ours with one namespace.
 *
 * @param {{ NamespacePools: any, peers: any, connections: number }} options
 * @returns {Record<'ours' | 'pgPool' | 'genericPool' | 'tarn', Competitor>}
 */
export function createCompetitors({ NamespacePools, peers, connections }) {
  const pools = new NamespacePools({
    name: 'bench',
    driver: NULL_DRIVER,
    maxTotal: connections,
    maxQueued: 100_000,
    acquireTimeoutMs: 60_000,
  });
  const pgPool = new peers.PgPool({ Client: NullClient, max: connections, connectionTimeoutMillis: 60_000 });
  const generic = peers.genericPool.createPool(
    { create: async () => ({}), destroy: async () => {} },
    { max: connections, min: 0, acquireTimeoutMillis: 60_000 },
  );
  const tarnPool = new peers.tarn.Pool({
    create: async () => ({}),
    destroy: () => {},
    min: 0,
    max: connections,
    acquireTimeoutMillis: 60_000,
  });
  return {
    ours: {
      name: 'Palisade',
      cycle: async () => {
        const lease = await pools.acquire('acme');
        lease.release();
      },
      close: () => pools.destroy(),
    },
    pgPool: {
      name: 'pg-pool',
      cycle: async () => {
        const client = await pgPool.connect();
        client.release();
      },
      close: () => pgPool.end(),
    },
    genericPool: {
      name: 'generic-pool',
      cycle: async () => {
        const resource = await generic.acquire();
        await generic.release(resource);
      },
      close: async () => {
        await generic.drain();
        await generic.clear();
      },
    },
    tarn: {
      name: 'tarn',
      cycle: async () => {
        const resource = await tarnPool.acquire().promise;
        tarnPool.release(resource);
      },
      close: () => tarnPool.destroy(),
    },
  };
}
