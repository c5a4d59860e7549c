import { Injectable } from '@nestjs/common';
import { SingleFlight } from '@palisade/async';
import {
  Store,
  TenantNotFoundError,
  type NamespaceId,
  type PoolName,
  type ProxyId,
  type ProxyUsage,
  type StoredCapLedger,
  type TenantId,
} from '@palisade/domain';
import { administers, type AdminPrincipal } from '@palisade/guards';
import { NamespaceAccess } from '../routing/namespace-access.js';
import { Registry } from '../routing/table/registry.js';
import type { Route } from '../routing/table/route.js';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { CapsService } from './caps.service.js';
import { RequestCounters, type CountedRequests } from './request-counters.js';
import { tenantUses, type ReportedNamespace, type TenantUse } from './tenant-use.js';
import { UsageSum } from './usage-sum.js';

export interface UsageQuestion {
  readonly tenant?: TenantId;
  readonly namespace?: NamespaceId;
  readonly pool?: PoolName;
}

export interface NamespaceUse {
  readonly namespace: NamespaceId;
  readonly route: Route | undefined;
  readonly sum: UsageSum;
}

/** How much of a backend's cap proxies may have, and use. */
export interface CapUse {
  readonly pool: PoolName;
  readonly backend: string;
  /** Undefined when the configuration says none any more. */
  readonly cap: number | undefined;
  readonly granted: number;
  /** Of these, what processes keep that report no longer, until their leases end. */
  readonly silent: number;
  /** Connections in use and requests that wait, as reported. */
  readonly wanted: number;
  /** Proxies that report. */
  readonly proxies: number;
  /** Proxies among them that may have no connection at all. */
  readonly withoutPart: number;
}

export interface Usage {
  /** All of them together, those that `namespaces` leaves out included. */
  readonly total: UsageSum;
  /** The busiest first. */
  readonly namespaces: readonly NamespaceUse[];
  /** What proxies report as a sum; undefined when it may be of other namespaces than were asked for. */
  readonly unnamed: { readonly namespaces: number; readonly sum: UsageSum } | undefined;
  /** Empty for admins of some namespaces. */
  readonly caps: readonly CapUse[];
}

/** What all proxies report, added up. */
interface Snapshot {
  readonly takenAtMs: number;
  readonly byPool: ReadonlyMap<PoolName, PoolUsage>;
  readonly byTenant: ReadonlyMap<TenantId, TenantUse>;
}

interface PoolUsage {
  readonly namespaces: Map<NamespaceId, UsageSum>;
  readonly rest: UsageSum;
  restNamespaces: number;
}

/** Several times what lies between two reports of a proxy. */
const MAX_AGE_MS = 30_000;
const PAGE_SIZE = 20;
/** Reports come every few seconds; so long what was added up answers further questions. */
const SNAPSHOT_MS = 1000;

/** What namespaces use at all proxies. */
@Injectable()
export class UsageService {
  private readonly snapshots = new SingleFlight<'all', Snapshot>();
  private readonly counters = new RequestCounters();
  private snapshot: Snapshot | undefined;

  constructor(
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly access: NamespaceAccess,
    private readonly caps: CapsService,
    private readonly settings: ControlPlaneSettings,
  ) {}

  /** Keeps the newest report of a proxy. */
  note(proxy: ProxyId, pool: PoolName, usage: ProxyUsage | undefined): Promise<void> {
    return usage === undefined ? Promise.resolve() : this.store.usage.put(proxy, pool, usage);
  }

  /** Forgets what a proxy reported that is no longer there. */
  forget(proxy: ProxyId): Promise<void> {
    return this.store.usage.remove(proxy, MAX_AGE_MS);
  }

  /**
   * Admins of some namespaces see those only.
   *
   * @throws {TenantNotFoundError} {@link NamespaceNotFoundError}
   */
  async find(admin: AdminPrincipal, { tenant, namespace, pool }: UsageQuestion): Promise<Usage> {
    const table = await this.registry.current();
    if (tenant !== undefined) {
      const placed = table.find(tenant);
      if (placed === undefined) {
        throw new TenantNotFoundError(tenant);
      }
      this.access.requireTenant(admin, tenant, placed.tenant.namespacePatterns);
    }
    if (namespace !== undefined) {
      this.access.require(admin, namespace, 'usage.read');
    }
    const { byPool } = await this.current();
    const found = new Map<NamespaceId, NamespaceUse>();
    const total = new UsageSum();
    const unnamed = { namespaces: 0, sum: new UsageSum() };
    for (const [name, usage] of byPool) {
      if (pool !== undefined && pool !== name) {
        continue;
      }
      unnamed.namespaces += usage.restNamespaces;
      unnamed.sum.addSum(usage.rest);
      const mayCount = ([each]: [NamespaceId, UsageSum]) =>
        (namespace === undefined || each === namespace) && administers(admin, each);
      for (const [each, sum] of [...usage.namespaces].filter(mayCount)) {
        const use = found.get(each) ?? { namespace: each, route: table.resolve(each), sum: new UsageSum() };
        if (tenant === undefined || use.route?.tenant === tenant) {
          found.set(each, use);
          use.sum.addSum(sum);
          total.addSum(sum);
        }
      }
    }
    const isOfAll = admin.namespaces === '*' && tenant === undefined && namespace === undefined;
    if (isOfAll) {
      total.addSum(unnamed.sum);
    }
    const busiest = [...found.values()].toSorted(
      (a, b) => compareSums(a.sum, b.sum) || (a.namespace < b.namespace ? -1 : 1),
    );
    return {
      total,
      namespaces: busiest,
      unnamed: isOfAll && unnamed.namespaces > 0 ? unnamed : undefined,
      caps: admin.namespaces === '*' ? await this.capUses(pool) : [],
    };
  }

  /** What each tenant uses of which proxies report something. */
  async tenants(): Promise<ReadonlyMap<TenantId, TenantUse>> {
    return (await this.current()).byTenant;
  }

  /** The tenants that use most, and the requests of each that this process has heard of. */
  async busiestTenants(limit: number): Promise<readonly (TenantUse & { readonly counted: CountedRequests })[]> {
    const uses = [...(await this.tenants()).values()];
    return uses
      .toSorted((a, b) => compareSums(a.sum, b.sum) || (a.tenant < b.tenant ? -1 : 1))
      .slice(0, limit)
      .map((use) => ({
        tenant: use.tenant,
        sum: use.sum,
        limits: use.limits,
        maxSessions: use.maxSessions,
        maxRps: use.maxRps,
        counted: this.counters.of(use.tenant),
      }));
  }

  /** What all namespaces use in each pool of which proxies report something. */
  async pools(): Promise<ReadonlyMap<PoolName, UsageSum>> {
    const { byPool } = await this.current();
    return new Map([...byPool].map(([pool, { namespaces, rest }]) => [pool, sumOf([...namespaces.values(), rest])]));
  }

  /** In order of (pool, backend). */
  async capUses(pool?: PoolName): Promise<CapUse[]> {
    const ledgers = await this.store.caps.ledgers();
    return ledgers
      .filter((stored) => pool === undefined || stored.pool === pool)
      .map((stored) => describeLedger(stored, this.caps.of(stored.pool).get(stored.backend)));
  }

  private current(): Promise<Snapshot> {
    const { snapshot } = this;
    return snapshot !== undefined && performance.now() - snapshot.takenAtMs < SNAPSHOT_MS
      ? Promise.resolve(snapshot)
      : this.snapshots.run('all', () => this.addUp());
  }

  private async addUp(): Promise<Snapshot> {
    const byPool = new Map<PoolName, PoolUsage>();
    const takenAtMs = performance.now();
    for (let after: ProxyId | undefined, isLast = false; !isLast;) {
      const page = await this.store.usage.list({ maxAgeMs: MAX_AGE_MS, limit: PAGE_SIZE, after });
      for (const { pool, usage } of page) {
        addReport(byPool, pool, usage);
      }
      after = page.at(-1)?.proxy;
      isLast = page.length < PAGE_SIZE;
    }
    const { table } = this.registry;
    const reported = [...byPool].flatMap(([pool, { namespaces }]) =>
      [...namespaces].map(([namespace, sum]): ReportedNamespace => ({ namespace, pool, sum })),
    );
    const byTenant = tenantUses(reported, (namespace, pool) => ({
      route: table.resolve(namespace),
      caps: this.caps.of(pool),
      pool: this.settings.pools.get(pool),
    }));
    this.counters.take(reported, (namespace) => table.resolve(namespace)?.tenant);
    this.snapshot = { takenAtMs, byPool, byTenant };
    return this.snapshot;
  }
}

/** The busier one first. */
function compareSums(a: UsageSum, b: UsageSum): number {
  return b.load - a.load || b.requests - a.requests;
}

function sumOf(sums: readonly UsageSum[]): UsageSum {
  const total = new UsageSum();
  sums.forEach((sum) => total.addSum(sum));
  return total;
}

function addReport(byPool: Map<PoolName, PoolUsage>, pool: PoolName, { namespaces, rest }: ProxyUsage): void {
  const usage = byPool.get(pool) ?? { namespaces: new Map(), rest: new UsageSum(), restNamespaces: 0 };
  byPool.set(pool, usage);
  for (const report of namespaces) {
    const namespace = report.namespace as NamespaceId;
    const sum = usage.namespaces.get(namespace) ?? new UsageSum();
    usage.namespaces.set(namespace, sum);
    sum.add(report);
  }
  if (rest !== undefined) {
    usage.rest.add(rest);
    usage.restNamespaces += rest.namespaces;
  }
}

function describeLedger({ pool, backend, ledger }: StoredCapLedger, cap: number | undefined): CapUse {
  const current = ledger.entries.filter(({ isCurrent }) => isCurrent);
  const granted = ledger.entries.reduce((sum, entry) => sum + entry.granted, 0);
  return {
    pool,
    backend,
    cap,
    granted,
    silent: granted - current.reduce((sum, entry) => sum + entry.granted, 0),
    wanted: current.reduce((sum, entry) => sum + entry.wanted, 0),
    proxies: current.length,
    withoutPart: current.filter(({ sentLimit }) => sentLimit === 0).length,
  };
}
