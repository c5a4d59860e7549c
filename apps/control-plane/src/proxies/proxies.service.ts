import { Injectable } from '@nestjs/common';
import {
  ManagedElsewhereError,
  Store,
  type CapPart,
  type ChangeContext,
  type PoolName,
  type Proxy,
  type ProxyBounds,
  type ProxyDraft,
  type ProxyHeartbeat,
  type ProxyId,
  type ProxyStore,
} from '@palisade/domain';
import { ForbiddenError, mayActAsProxy, type AdminPrincipal, type ProxyPrincipal } from '@palisade/guards';
import { UnknownPoolError } from '../routing/routing.errors.js';
import { CapsService } from '../usage/caps.service.js';
import { UsageService } from '../usage/usage.service.js';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { ProxyNotFoundError } from './proxies.errors.js';

/** What a proxy that registers itself has to know. */
export interface ProxyDuties {
  readonly proxy: Proxy;
  /** How often it has to send a heartbeat. */
  readonly heartbeatIntervalMs: number;
  /** By backend; absent for a proxy that asked for none. */
  readonly caps?: Readonly<Record<string, CapPart>>;
}

export interface RegisterProxyResult extends ProxyDuties {
  /** False when it was known already. */
  readonly registered: boolean;
}

/**
 * Proxies that there may be when one registers. Each costs a connection per health check and a line of the load
 * balancer's configuration, so a credential that registers without end would delay the checks of all others. A pool's
 * share leaves room for the other pools.
 */
const BOUNDS: ProxyBounds = { perPool: 500, inAll: 1000 };

/** One heartbeat may get lost without consequence. */
const HEARTBEATS_PER_TIMEOUT = 3;
/**
 * What one proxy does not need of a cap gets to those who need it when it has been told so, and they have asked again: with many
 * proxies less often, so that heartbeats of a pool are no more than a hundred a second.
 */
const CAPS_INTERVAL_MS = { usual: 500, short: 250, perProxy: 10 };
/** How old the numbers of proxies may be that this goes by. */
const SIZES_MS = 1000;

/** Proxies that register themselves, and what operators do with any. */
@Injectable()
export class ProxiesService {
  private readonly proxies: ProxyStore;
  private sizes: { readonly takenAtMs: number; readonly byPool: ReadonlyMap<PoolName, number> } = {
    takenAtMs: -Infinity,
    byPool: new Map(),
  };

  constructor(
    store: Store,
    private readonly settings: ControlPlaneSettings,
    private readonly caps: CapsService,
    private readonly usage: UsageService,
  ) {
    this.proxies = store.proxies;
  }

  /**
   * A proxy that is known already is updated to what it says now. One that was discovered is told its duties, by the credential
   * of its pool and id; its place is what discovery says.
   *
   * @throws {ForbiddenError} when the caller's credential is of another pool, or for other ids
   * @throws {UnknownPoolError}
   * @throws {TooManyProxiesError}
   * @throws {ManagedElsewhereError} when the proxy was discovered, in another pool or the caller is an admin
   * @throws {ProxyTakenError} when a proxy's credential names a proxy that was registered with another
   */
  async register(
    caller: AdminPrincipal | ProxyPrincipal,
    id: ProxyId,
    draft: ProxyDraft,
    change: ChangeContext,
  ): Promise<RegisterProxyResult> {
    if (caller.kind === 'proxy' && (draft.pool !== caller.pool || !mayActAsProxy(caller, id))) {
      throw new ForbiddenError(`this credential is for proxies "${caller.idPrefix}*" of the pool "${caller.pool}"`);
    }
    if (!this.settings.pools.has(draft.pool)) {
      throw new UnknownPoolError(draft.pool, [...this.settings.pools.keys()]);
    }
    const known = await this.proxies.find(id);
    if (known !== undefined && isDiscovered(known) && caller.kind === 'proxy' && known.pool === caller.pool) {
      return { registered: false, ...(await this.dutiesOf(known)) };
    }
    const options = { onlyOwn: caller.kind === 'proxy', bounds: BOUNDS };
    const proxy = await this.proxies.put(id, 'registration', draft, change, options);
    return { registered: known === undefined, ...(await this.dutiesOf(proxy)) };
  }

  /** @throws {ProxyNotFoundError} when it has to register, first or again; and for a proxy that is not the caller's */
  async heartbeat(
    caller: AdminPrincipal | ProxyPrincipal,
    id: ProxyId,
    heartbeat: ProxyHeartbeat,
  ): Promise<ProxyDuties> {
    if (caller.kind === 'proxy') {
      await this.getOwn(caller, id);
    }
    const proxy = await this.proxies.heartbeat(id, heartbeat);
    if (proxy === undefined) {
      throw new ProxyNotFoundError(id);
    }
    await this.usage.note(id, proxy.pool, heartbeat.usage);
    const caps = await this.caps.divide(id, proxy.pool, heartbeat);
    return this.dutiesOf(proxy, caps, heartbeat.caps);
  }

  private async dutiesOf(
    proxy: Proxy,
    caps: ProxyDuties['caps'] = undefined,
    demands: ProxyHeartbeat['caps'] = {},
  ): Promise<ProxyDuties> {
    const intervalMs = this.settings.health.heartbeatTimeoutMs / HEARTBEATS_PER_TIMEOUT;
    const hasParts = Object.keys(caps ?? {}).length > 0;
    const forCapsMs = hasParts ? capsIntervalMs(await this.sizeOf(proxy.pool), caps, demands) : Infinity;
    return { proxy, heartbeatIntervalMs: Math.min(intervalMs, forCapsMs), caps };
  }

  /** How many proxies a pool has, or had a moment ago, so that not each heartbeat lists all proxies. */
  private async sizeOf(pool: PoolName): Promise<number> {
    if (performance.now() - this.sizes.takenAtMs > SIZES_MS) {
      const byPool = Map.groupBy(await this.proxies.list(), (proxy) => proxy.pool);
      this.sizes = {
        takenAtMs: performance.now(),
        byPool: new Map([...byPool].map(([name, all]) => [name, all.length])),
      };
    }
    return this.sizes.byPool.get(pool) ?? 1;
  }

  /** In order of (pool, id). */
  list(): Promise<Proxy[]> {
    return this.proxies.list();
  }

  /**
   * A proxy that a credential registered is that credential's. One that was discovered is any credential's that is for its pool
   * and its id, as nobody has registered it.
   *
   * @throws {ProxyNotFoundError} also for a proxy that is not the caller's
   */
  async getOwn(caller: AdminPrincipal | ProxyPrincipal, id: ProxyId): Promise<Proxy> {
    const proxy = await this.get(id);
    const isOwn = (isDiscovered(proxy) || proxy.owner === caller.actor) && mayActAsProxy(caller, id);
    if (caller.kind === 'proxy' && !(isOwn && proxy.pool === caller.pool)) {
      throw new ProxyNotFoundError(id);
    }
    return proxy;
  }

  /** @throws {ProxyNotFoundError} */
  private async get(id: ProxyId): Promise<Proxy> {
    const proxy = await this.proxies.find(id);
    if (proxy === undefined) {
      throw new ProxyNotFoundError(id);
    }
    return proxy;
  }

  /**
   * Changes what operators may say of any proxy.
   *
   * @throws {ProxyNotFoundError}
   */
  async adjust(
    id: ProxyId,
    { weight, isDraining }: Partial<Pick<ProxyDraft, 'weight' | 'isDraining'>>,
    change: ChangeContext,
  ): Promise<Proxy> {
    const { source, pool, host, port, ...current } = await this.get(id);
    const draft = {
      pool,
      host,
      port,
      weight: weight ?? current.weight,
      isDraining: isDraining ?? current.isDraining,
    };
    return this.proxies.put(id, source, draft, change);
  }

  /**
   * @param hasClosed whether the proxy has no connections to backends any more: its parts of caps are free at once; otherwise
   * they are when their leases end
   * @throws {ProxyNotFoundError} also for a proxy that is not the caller's
   * @throws {ManagedElsewhereError} when the proxy was discovered, and would be again; not for a proxy that only gives back its
   * parts of caps
   */
  async remove(
    caller: AdminPrincipal | ProxyPrincipal,
    id: ProxyId,
    change: ChangeContext,
    hasClosed: boolean,
  ): Promise<void> {
    const proxy = await this.getOwn(caller, id);
    const leavesOnly = isDiscovered(proxy) && hasClosed && caller.kind === 'proxy';
    if (isDiscovered(proxy) && !leavesOnly) {
      throw new ManagedElsewhereError('proxy', id, proxy.source);
    }
    if (hasClosed) {
      await this.caps.release(id);
    }
    if (leavesOnly) {
      return;
    }
    await this.proxies.remove(id, change);
    await this.usage.forget(id);
  }
}

/** How soon to ask for parts of caps again. */
function capsIntervalMs(
  proxies: number,
  parts: ProxyDuties['caps'] = {},
  demands: NonNullable<ProxyHeartbeat['caps']>,
): number {
  const isShort = Object.entries(parts).some(([backend, { limit }]) => {
    const { in_use: inUse = 0, waiting = 0 } = demands[backend] ?? {};
    return limit < inUse + waiting;
  });
  const { usual, short, perProxy } = CAPS_INTERVAL_MS;
  return Math.max(isShort ? short : usual, proxies * perProxy);
}

function isDiscovered({ source }: Proxy): boolean {
  return source !== 'registration';
}
