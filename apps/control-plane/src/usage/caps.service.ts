import { Injectable } from '@nestjs/common';
import {
  Store,
  isObject,
  type BackendReport,
  type CapPart,
  type PoolName,
  type ProxyHeartbeat,
  type ProxyId,
} from '@palisade/domain';
import { ControlPlaneSettings, type PoolDefinition } from '../config/control-plane-settings.js';
import { Batches } from './batches.js';

type Batch = Batches<readonly BackendReport[], readonly CapPart[]>;

/** So many heartbeats are answered by one transaction at most, so that none takes long. */
const MAX_HEARTBEATS = 100;

/** Divides the caps of backends among the proxies of each pool. */
@Injectable()
export class CapsService {
  /** By pool and backend. */
  private readonly caps: ReadonlyMap<PoolName, ReadonlyMap<string, number>>;
  private readonly batches: ReadonlyMap<PoolName, Batch>;

  constructor(
    private readonly store: Store,
    { pools }: ControlPlaneSettings,
  ) {
    this.caps = new Map([...pools.values()].map((pool) => [pool.name, capsOf(pool)]));
    this.batches = new Map([...pools.keys()].map((pool) => [pool, this.batchesOf(pool)]));
  }

  /** The caps of a pool's backends; none for a backend of which the configuration says nothing. */
  of(pool: PoolName): ReadonlyMap<string, number> {
    return this.caps.get(pool) ?? new Map();
  }

  /**
   * A proxy's parts of the caps that it asks for and that there are; undefined for one that asks for none, or does not say
   * which of its processes it is.
   */
  async divide(
    proxy: ProxyId,
    pool: PoolName,
    { instance, caps: demands }: ProxyHeartbeat,
  ): Promise<Readonly<Record<string, CapPart>> | undefined> {
    if (demands === undefined || instance === undefined) {
      return undefined;
    }
    const caps = this.of(pool);
    const reports = Object.entries(demands).flatMap(([backend, demand]): BackendReport[] => {
      const cap = caps.get(backend);
      return cap === undefined ? [] : [{ proxy, instance, backend, cap, demand }];
    });
    const parts = reports.length === 0 ? [] : await this.batches.get(pool)?.add(reports);
    return Object.fromEntries((parts ?? []).map((part, index) => [reports[index]?.backend ?? '', part]));
  }

  /** Frees what a proxy has, which is known to have no connections any more. */
  release(proxy: ProxyId): Promise<void> {
    return this.store.caps.release(proxy);
  }

  private batchesOf(pool: PoolName): Batch {
    return new Batches<readonly BackendReport[], readonly CapPart[]>(async (heartbeats) => {
      const parts = await this.store.caps.report(pool, heartbeats.flat());
      let start = 0;
      return heartbeats.map(({ length }) => parts.slice(start, (start += length)));
    }, MAX_HEARTBEATS);
  }
}

function capsOf({ isolationSettings }: PoolDefinition): ReadonlyMap<string, number> {
  const pools = isolationSettings?.['connection_pools'];
  return new Map(
    Object.entries(isObject(pools) ? pools : {}).flatMap(([backend, settings]) => {
      const cap = isObject(settings) && (settings['max_total_connections'] ?? settings['max_connections']);
      return typeof cap === 'number' ? [[backend, cap] as const] : [];
    }),
  );
}
