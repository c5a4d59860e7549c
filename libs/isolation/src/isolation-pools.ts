import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { requireDriver, type DriverClass } from './backends/driver-class.js';
import { UnknownBackendError } from './backends/unknown-backend.error.js';
import { IsolationLevelError } from './isolation-level.error.js';
import { ISOLATION_OPTIONS, ISOLATION_SETTINGS, type IsolationOptions } from './isolation-options.js';
import type { ConnectionDriver } from './pools/connection-driver.js';
import { NamespacePools } from './pools/namespace-pools.js';
import type { PoolsSnapshot } from './pools/pool-snapshot.js';
import type { IsolationSettings } from './settings/isolation-settings.js';

const DEFAULT_SHUTDOWN_GRACE_MS = 10_000;

/** The pools of all backends, at the isolation levels `none` and `namespace`. They drain when the app shuts down. */
@Injectable()
export class IsolationPools implements OnApplicationShutdown {
  readonly #pools: ReadonlyMap<string, NamespacePools<unknown>>;

  constructor(
    @Inject(ISOLATION_SETTINGS) private readonly settings: IsolationSettings,
    @Inject(ISOLATION_OPTIONS) private readonly options: IsolationOptions,
  ) {
    const { level } = settings;
    const { clock } = options;
    this.#pools = new Map(
      [...(level === 'session' ? [] : settings.pools)].map(([name, pool]) => {
        const driver = driverOf(options, name);
        return [name, new NamespacePools({ ...pool, name, driver, isShared: level === 'none', clock })];
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
    requireDriver(backend, pools.driver, driverClass);
    return pools as NamespacePools<C>;
  }

  snapshots(): PoolsSnapshot[] {
    return [...this.#pools.values()].map((pools) => pools.snapshot());
  }

  async onApplicationShutdown(): Promise<void> {
    const graceMs = this.options.shutdownGraceMs ?? DEFAULT_SHUTDOWN_GRACE_MS;
    await Promise.all([...this.#pools.values()].map((pools) => pools.drain(graceMs)));
  }
}

function driverOf({ backends }: IsolationOptions, name: string): ConnectionDriver<unknown> {
  const driver = Object.hasOwn(backends, name) ? backends[name] : undefined;
  if (driver === undefined) {
    throw new UnknownBackendError(name, 'a driver for it');
  }
  return driver;
}
