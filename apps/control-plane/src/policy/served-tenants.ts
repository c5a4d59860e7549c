import {
  parseNamespacePattern,
  UNREGISTERED_TENANT,
  type NamespacePattern,
  type PoolName,
  type TenantId,
  type TenantPolicy,
} from '@palisade/domain';
import type { PoolDefinition } from '../config/control-plane-settings.js';
import type { RouteFinder } from '../routing/table/route-finder.js';
import type { PlacedTenant } from '../routing/table/tenant-directory.js';
import { tenantPolicy } from './tenant-policy.js';

/** Ids of tenants by the pool whose policy has changed in them. */
export type Touched = Map<PoolName, Set<string>>;

const EVERYTHING = parseNamespacePattern('*');
/** A stream that was interrupted for longer begins with a complete policy, unless nothing has changed. */
const EXPIRED_FOR_MS = 600_000;

/**
 * Which tenants each pool serves, and on which terms: those that are placed there, those that have left it a short while ago,
 * and under {@link UNREGISTERED_TENANT} what the configuration sends there.
 */
export class ServedTenants {
  private readonly tenants = new Map<TenantId, PlacedTenant>();
  private readonly byPool = new Map<PoolName, Set<TenantId>>();
  /** Until when the pools that a tenant has left serve it. */
  private readonly leaving = new Map<TenantId, Map<PoolName, number>>();
  /** Tenants that a pool has ceased to serve because the time was over, with that time. */
  private readonly expired = new Map<PoolName, Map<TenantId, number>>();
  /** How many tenants have taken an entry of `namespace_routing` over. */
  private readonly claims = new Map<NamespacePattern, number>();
  private readonly entriesByPool = new Map<PoolName, NamespacePattern[]>();

  /** @param leavingMs how long a pool serves a tenant that has left it */
  constructor(
    private readonly finder: RouteFinder,
    private readonly pools: ReadonlyMap<PoolName, PoolDefinition>,
    private readonly leavingMs: number,
    private readonly now: () => number = Date.now,
  ) {
    for (const { pattern, parts } of finder.routes.all()) {
      new Set(parts.map(({ pool }) => pool)).forEach((pool) => this.addEntry(pool, pattern));
    }
    if (finder.fallbackPool !== undefined && finder.routes.get(EVERYTHING) === undefined) {
      this.addEntry(finder.fallbackPool, EVERYTHING);
    }
  }

  /** Takes over what has changed; tenants whose time in a pool is over leave it as well. */
  take(changed: readonly PlacedTenant[], removed: readonly TenantId[]): Touched {
    const touched: Touched = new Map();
    for (const id of removed) {
      this.remove(id, touched);
    }
    for (const placed of changed) {
      this.put(placed, touched);
    }
    this.expire(touched);
    return touched;
  }

  sizeOf(pool: PoolName): number {
    return this.byPool.get(pool)?.size ?? 0;
  }

  /** What the pool serves at the moment when the first is asked for, in no order. */
  *policiesOf(pool: PoolName): Generator<TenantPolicy, void> {
    const { only } = this.finder;
    const others = only === undefined ? UNREGISTERED_TENANT : (only.tenant ?? UNREGISTERED_TENANT);
    const first = this.policyOf(pool, others);
    const placed = [...(this.byPool.get(pool) ?? [])].map((id) => this.tenants.get(id));
    if (first !== undefined) {
      yield first;
    }
    const definition = this.pools.get(pool);
    for (const each of placed) {
      if (each !== undefined && definition !== undefined) {
        yield this.compile(each, definition);
      }
    }
  }

  /** Undefined for a tenant that the pool does not serve. What it returns never changes. */
  policyOf(pool: PoolName, id: string): TenantPolicy | undefined {
    const definition = this.pools.get(pool);
    if (definition === undefined) {
      return undefined;
    }
    const { only, unregistered } = this.finder;
    if (only !== undefined) {
      const isServed = pool === only.pool && id === (only.tenant ?? UNREGISTERED_TENANT);
      return isServed ? tenantPolicy(id, [EVERYTHING], only, definition) : undefined;
    }
    if (id === UNREGISTERED_TENANT) {
      const entries = this.entriesOf(pool);
      return entries.length === 0 ? undefined : tenantPolicy(id, entries, unregistered.placement, definition);
    }
    const isServed = this.byPool.get(pool)?.has(id as TenantId) === true;
    const placed = isServed ? this.tenants.get(id as TenantId) : undefined;
    return placed && this.compile(placed, definition);
  }

  /** Tenants that the pool has ceased to serve at a moment that other replicas may have put elsewhere. */
  expiredIn(pool: PoolName): TenantId[] {
    return [...(this.expired.get(pool)?.keys() ?? [])];
  }

  private compile({ tenant, placement }: PlacedTenant, pool: PoolDefinition): TenantPolicy {
    const namespaces = tenant.namespacePatterns.flatMap((pattern) => this.finder.routes.claimsOf(pattern));
    return tenantPolicy(tenant.id, [...new Set(namespaces)], placement, pool);
  }

  private put(placed: PlacedTenant, touched: Touched): void {
    const { tenant, pools } = placed;
    const { id } = tenant;
    const before = this.tenants.get(id);
    const left = new Map(this.leaving.get(id));
    before?.pools.forEach((pool) => left.set(pool, this.now() + this.leavingMs));
    if (tenant.draining !== undefined && !left.has(tenant.draining.pool)) {
      left.set(tenant.draining.pool, tenant.draining.until.getTime());
    }
    pools.forEach((pool) => left.delete(pool));
    this.tenants.set(id, placed);
    if (left.size > 0) {
      this.leaving.set(id, left);
    } else {
      this.leaving.delete(id);
    }
    for (const pool of [...pools, ...left.keys()]) {
      setOf(this.byPool, pool).add(id);
      setOf(touched, pool).add(id);
      this.expired.get(pool)?.delete(id);
    }
    this.claim(before, placed, touched);
  }

  private remove(id: TenantId, touched: Touched): void {
    const before = this.tenants.get(id);
    for (const pool of [...(before?.pools ?? []), ...(this.leaving.get(id)?.keys() ?? [])]) {
      this.leave(pool, id, touched);
    }
    this.tenants.delete(id);
    this.leaving.delete(id);
    this.claim(before, undefined, touched);
  }

  private leave(pool: PoolName, id: TenantId, touched: Touched): void {
    this.byPool.get(pool)?.delete(id);
    setOf(touched, pool).add(id);
  }

  private expire(touched: Touched): void {
    const now = this.now();
    for (const [id, left] of this.leaving) {
      for (const [pool, until] of left) {
        if (until <= now) {
          left.delete(pool);
          this.leave(pool, id, touched);
          this.noteExpired(pool, id, now);
        }
      }
      if (left.size === 0) {
        this.leaving.delete(id);
      }
    }
  }

  private noteExpired(pool: PoolName, id: TenantId, now: number): void {
    const ids = this.expired.get(pool) ?? new Map<TenantId, number>();
    this.expired.set(pool, ids);
    ids.delete(id);
    ids.set(id, now);
    for (const [old, at] of ids) {
      if (at > now - EXPIRED_FOR_MS) {
        break; // in order of time
      }
      ids.delete(old);
    }
  }

  private addEntry(pool: PoolName, pattern: NamespacePattern): void {
    const entries = this.entriesByPool.get(pool) ?? [];
    entries.push(pattern);
    this.entriesByPool.set(pool, entries);
  }

  private entriesOf(pool: PoolName): NamespacePattern[] {
    return (this.entriesByPool.get(pool) ?? []).filter((pattern) => !this.claims.has(pattern));
  }

  /** Counts who has taken entries over, so that no namespace is served twice. */
  private claim(before: PlacedTenant | undefined, after: PlacedTenant | undefined, touched: Touched): void {
    if (this.entriesByPool.size === 0) {
      return;
    }
    for (const [placed, sign] of [[after, 1] as const, [before, -1] as const]) {
      for (const pattern of placed?.tenant.namespacePatterns.flatMap((each) => this.finder.routes.claimsOf(each)) ??
        []) {
        this.count(pattern, sign, touched);
      }
    }
  }

  private count(pattern: NamespacePattern, sign: 1 | -1, touched: Touched): void {
    const entry = this.finder.routes.get(pattern);
    const fallback = pattern === EVERYTHING && this.finder.fallbackPool !== undefined ? [this.finder.fallbackPool] : [];
    const pools = entry?.parts.map(({ pool }) => pool) ?? fallback;
    if (pools.length === 0) {
      return;
    }
    const count = (this.claims.get(pattern) ?? 0) + sign;
    if (count === 0) {
      this.claims.delete(pattern);
    } else {
      this.claims.set(pattern, count);
    }
    pools.forEach((pool) => setOf(touched, pool).add(UNREGISTERED_TENANT));
  }
}

function setOf<T>(sets: Map<PoolName, Set<T>>, pool: PoolName): Set<T> {
  const known = sets.get(pool) ?? new Set<T>();
  sets.set(pool, known);
  return known;
}
