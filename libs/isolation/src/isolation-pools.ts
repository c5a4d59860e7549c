import { Inject, Injectable } from '@nestjs/common';
import type { NamespaceId, TenantId } from '@palisade/domain';
import { type BackendDriver, type DriverClass, requireDriver, type ScopedClient } from './backends/backend-driver.js';
import { ownTenant } from './tenant-namespace.js';
import { UnknownBackendError } from './backends/backend.errors.js';
import { IsolationLevelError } from './isolation.errors.js';
import { CPU_METER, DEFAULT_SHUTDOWN_GRACE_MS, ISOLATION_OPTIONS, type IsolationOptions } from './isolation-options.js';
import type { CpuMeter } from './limits/cpu-meter.js';
import { IsolationPolicy } from './policy/isolation-policy.js';
import type { ConnectionDriver } from './pools/connection-driver.js';
import type { Lease } from './pools/lease.js';
import { NamespacePools } from './pools/namespace-pools.js';
import { limitsOf, type PoolSettingsInput, type PoolTerms, reservedTotal, SHARED } from './pools/pool-settings.js';
import type { PoolSnapshot, PoolsSnapshot } from './pools/pool-snapshot.js';
import type { SessionBackend } from './sessions/session-settings.js';
import { CapParts, type CappedConnections } from './usage/cap-parts.js';
import { ChargedDriver } from './usage/charged-driver.js';

export interface BackendPoolSnapshot extends PoolSnapshot {
  readonly backend: string;
}

/** What is assumed where a driver cannot say it: the backend has to be configured to close silent connections in this time. */
const UNKNOWN_HOLD_MS = 60_000;

interface Backend {
  readonly driver: ConnectionDriver<unknown>;
  readonly pools: NamespacePools<unknown>;
}

/**
 * The connections to all backends: for each one cap, under which everybody's connections, those of namespaces and those of
 * sessions are counted. They follow the policy: what it allows no longer is closed, at once or when it is given back.
 */
@Injectable()
export class IsolationPools {
  readonly #backends: ReadonlyMap<string, Backend>;
  #afterDrain: () => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly policy: IsolationPolicy,
    @Inject(ISOLATION_OPTIONS) private readonly options: IsolationOptions,
    @Inject(CPU_METER) private readonly meter: CpuMeter,
  ) {
    this.#backends = new Map(policy.settings.pools.keys().map((name) => [name, this.#open(name)]));
    policy.onChange(() => this.#follow());
  }

  /**
   * Leases a connection of a namespace, or one that all share, as its isolation level says.
   *
   * @throws {UnknownBackendError} when there is no such backend, or its driver is of another class
   * @throws {IsolationLevelError} at the level `session`, where each connection belongs to a session
   * @throws {NoPolicyError} {@link NamespaceNotServedError} when the namespace is not served here
   * @throws as {@link NamespacePools.acquire} does
   */
  async acquire<C>(
    backend: string,
    driverClass: DriverClass<C>,
    namespace: NamespaceId,
    signal?: AbortSignal,
  ): Promise<Lease<C>> {
    const { level } = this.policy.termsOf(namespace);
    if (level === 'session') {
      throw new IsolationLevelError(level, 'pools');
    }
    const { driver, pools } = this.#get(backend);
    requireDriver(backend, driver, driverClass);
    return (pools as NamespacePools<C>).acquire(level === 'none' ? SHARED : namespace, signal);
  }

  /**
   * Leaves this process its part of a backend's cap, which holds for several processes together.
   *
   * @throws {UnknownBackendError} when there is no such backend
   * @throws {RangeError} when it is no number of connections
   */
  setCap(backend: string, limit: number): void {
    this.#get(backend).pools.resize(limit);
  }

  /**
   * Has the process's parts of caps go to the pools, now and from then on; until it is given the first one it opens no
   * connections.
   */
  takeParts(): CapParts {
    return new CapParts(new Map([...this.#backends].map((each) => this.#cappedOf(...each))), this.options.clock);
  }

  /** What a namespace has of its own of each backend of which it has anything. */
  find(namespace: NamespaceId): BackendPoolSnapshot[] {
    return [...this.#backends].flatMap(([backend, { pools }]) => {
      const pool = pools.find(namespace);
      return pool === undefined ? [] : [{ backend, ...pool }];
    });
  }

  snapshots(): PoolsSnapshot[] {
    return [...this.#backends.values()].map(({ pools }) => pools.snapshot());
  }

  /** What sessions have their connections from. */
  forSessions(): SessionBackend[] {
    return [...this.#backends].map(([name, { driver, pools }]) => ({
      name,
      driver,
      pools,
      perSessionLimit: (namespace) => this.policy.limitsOf(name, namespace).perSessionLimit,
    }));
  }

  /** Has something done when all connections are closed, at the end. It must not reject. */
  afterDrain(listener: () => Promise<void>): void {
    this.#afterDrain = listener;
  }

  /** Gives no more leases, and closes connections as they come back; what is not back after the grace is closed then. */
  async drain(): Promise<void> {
    const graceMs = this.options.shutdownGraceMs ?? DEFAULT_SHUTDOWN_GRACE_MS;
    await Promise.all([...this.#backends.values()].map(({ pools }) => pools.drain(graceMs)));
    await this.#afterDrain();
  }

  #open(name: string): Backend {
    const { backends, clock } = this.options;
    const driver = Object.hasOwn(backends, name) ? backends[name] : undefined;
    if (driver === undefined) {
      throw new UnknownBackendError(name, 'a driver for it');
    }
    driver.followTenants?.((namespace) => this.#tenantOf(namespace));
    const charged = this.policy.settings.usage.measuresCpu ? new ChargedDriver({ driver, meter: this.meter }) : driver;
    const pools = new NamespacePools({
      ...this.#settingsOf(name),
      name,
      driver: charged,
      isMultiplexed: (driver as Partial<BackendDriver<unknown, ScopedClient>>).isMultiplexed === true,
      termsOf: (namespace) => this.#termsOf(name, namespace),
      clock,
    });
    return { driver, pools };
  }

  #follow(): void {
    for (const [name, { pools }] of this.#backends) {
      pools.reconfigure(this.#settingsOf(name));
    }
  }

  #cappedOf(name: string, { driver, pools }: Backend): [string, CappedConnections] {
    const leastOf = () => Math.max(1, reservedTotal({ namespaces: this.#settingsOf(name).namespaces ?? new Map() }));
    return [
      name,
      {
        snapshot: () => pools.snapshot(),
        resize: (part) => pools.resize(part),
        closeBeyond: (ceiling) => pools.closeBeyond(ceiling),
        least: leastOf,
        holdMs: driver.holdMs ?? UNKNOWN_HOLD_MS,
      },
    ];
  }

  #settingsOf(name: string): PoolSettingsInput {
    return this.policy.settings.pools.get(name) ?? { maxTotal: 1 };
  }

  #termsOf(name: string, namespace: NamespaceId): PoolTerms {
    if (namespace === SHARED) {
      return { ...limitsOf(this.#settingsOf(name), SHARED), isPooled: true };
    }
    const level = this.policy.findTerms(namespace)?.level;
    return {
      ...this.policy.limitsOf(name, namespace),
      isPooled: level === 'namespace',
      tenantId: this.policy.tenantOf(namespace),
      isServed: level !== undefined,
    };
  }

  #tenantOf(namespace: NamespaceId): TenantId {
    const tenantId = namespace === SHARED ? undefined : this.policy.termsOf(namespace).tenantId;
    return tenantId ?? ownTenant(namespace);
  }

  #get(backend: string): Backend {
    const found = this.#backends.get(backend);
    if (found === undefined) {
      throw new UnknownBackendError(backend, `one of ${[...this.#backends.keys()].join(', ')}`);
    }
    return found;
  }
}
