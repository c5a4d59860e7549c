import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { NamespaceId } from '@palisade/domain';
import { type BackendDriver, type DriverClass, requireDriver, type ScopedClient } from './backends/backend-driver.js';
import { UnknownBackendError } from './backends/backend.errors.js';
import { IsolationLevelError } from './isolation.errors.js';
import {
  CPU_METER,
  DEFAULT_SHUTDOWN_GRACE_MS,
  ISOLATION_OPTIONS,
  ISOLATION_SETTINGS,
  type IsolationOptions,
} from './isolation-options.js';
import type { ConnectionDriver } from './pools/connection-driver.js';
import { MultiplexingDriver } from './pools/multiplexing-driver.js';
import { NamespacePools } from './pools/namespace-pools.js';
import { partOfCap } from './pools/capacity.js';
import { reservedTotal } from './pools/pool-settings.js';
import type { PoolSnapshot, PoolsSnapshot } from './pools/pool-snapshot.js';
import type { IsolationSettings } from './isolation-settings.js';
import { ChargedDriver } from './usage/charged-driver.js';
import type { CpuMeter } from './limits/cpu-meter.js';

export interface BackendPoolSnapshot extends PoolSnapshot {
  readonly backend: string;
}

/** The pools of all backends, at the isolation levels `none` and `namespace`. They drain when the app shuts down. */
@Injectable()
export class IsolationPools implements OnApplicationShutdown {
  readonly #pools: ReadonlyMap<string, NamespacePools<unknown>>;
  readonly #settings: IsolationSettings['pools'];

  constructor(
    @Inject(ISOLATION_SETTINGS) private readonly settings: IsolationSettings,
    @Inject(ISOLATION_OPTIONS) private readonly options: IsolationOptions,
    @Inject(CPU_METER) meter: CpuMeter,
  ) {
    const { level, usage } = settings;
    this.#settings = settings.level === 'session' ? new Map() : settings.pools;
    const isShared = level === 'none';
    const { clock } = options;
    this.#pools = new Map(
      [...this.#settings].map(([name, pool]) => {
        const own = driverOf(options, name);
        const driver = usage.measuresCpu ? new ChargedDriver({ driver: own, meter, isShared }) : own;
        return [
          name,
          new NamespacePools({
            ...pool,
            name,
            driver: isMultiplexed(own) ? new MultiplexingDriver(driver) : driver,
            isShared,
            clock,
          }),
        ];
      }),
    );
  }

  /**
   * The pools of a backend, with connections as a class of drivers makes them.
   *
   * @throws {UnknownBackendError} when there is no such backend, or its driver is of another class
   * @throws {IsolationLevelError} at the level `session`, where connections are not shared
   */
  get<C>(backend: string, driverClass: DriverClass<C>): NamespacePools<C> {
    if (this.settings.level === 'session') {
      throw new IsolationLevelError(this.settings.level, 'pools');
    }
    const pools = this.#pools.get(backend);
    if (pools === undefined) {
      throw new UnknownBackendError(backend, `one of ${[...this.#pools.keys()].join(', ')}`);
    }
    requireDriver(backend, driverOf(this.options, backend), driverClass);
    return pools as NamespacePools<C>;
  }

  /**
   * Leaves this process its part of each backend's cap, and what is reserved in any case.
   *
   * @throws {RangeError} when `replicas` is no integer from 1 on
   */
  divideCaps(replicas: number): void {
    for (const [name, { maxTotal, namespaces = new Map() }] of this.#settings) {
      this.#pools.get(name)?.resize(partOfCap(maxTotal, replicas, Math.max(1, reservedTotal({ namespaces }))));
    }
  }

  /** What a namespace has of each backend of which it has anything; at the level `none`, what all have. */
  find(namespace: NamespaceId): BackendPoolSnapshot[] {
    return [...this.#pools].flatMap(([backend, pools]) => {
      const pool = pools.find(namespace);
      return pool === undefined ? [] : [{ backend, ...pool }];
    });
  }

  snapshots(): PoolsSnapshot[] {
    return [...this.#pools.values()].map((pools) => pools.snapshot());
  }

  async onApplicationShutdown(): Promise<void> {
    const graceMs = this.options.shutdownGraceMs ?? DEFAULT_SHUTDOWN_GRACE_MS;
    await Promise.all([...this.#pools.values()].map((pools) => pools.drain(graceMs)));
  }
}

function isMultiplexed(driver: ConnectionDriver<unknown>): boolean {
  return (driver as Partial<BackendDriver<unknown, ScopedClient>>).isMultiplexed === true;
}

function driverOf({ backends }: IsolationOptions, name: string): ConnectionDriver<unknown> {
  const driver = Object.hasOwn(backends, name) ? backends[name] : undefined;
  if (driver === undefined) {
    throw new UnknownBackendError(name, 'a driver for it');
  }
  return driver;
}
