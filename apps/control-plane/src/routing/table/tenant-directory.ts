import type { PoolName, Tenant, TenantId } from '@palisade/domain';
import type { Placement } from './placement.js';

/** A registered tenant with what routing makes of it. */
export interface PlacedTenant {
  readonly tenant: Tenant;
  readonly placement: Placement;
  /** Where its namespaces may go; one unless `namespace_routing` divides them. */
  readonly pools: ReadonlySet<PoolName>;
}

export interface PoolMembers {
  readonly tenants: number;
  /** Names and patterns of those tenants. */
  readonly patterns: number;
}

export interface TenantSearch {
  readonly pool?: PoolName;
  readonly after?: TenantId;
  readonly limit: number;
}

const NO_MEMBERS: PoolMembers = { tenants: 0, patterns: 0 };

/** The registered tenants, by id and in order of id, and how many of them each pool has. */
export class TenantDirectory {
  private readonly placed = new Map<TenantId, PlacedTenant>();
  private readonly members = new Map<PoolName, PoolMembers>();
  /** In order unless `isSorted` is false; may hold the ids of tenants that are gone. */
  private ids: TenantId[] = [];
  private isSorted = true;

  get size(): number {
    return this.placed.size;
  }

  find(id: TenantId): PlacedTenant | undefined {
    return this.placed.get(id);
  }

  set(placed: PlacedTenant): void {
    const { id } = placed.tenant;
    const before = this.placed.get(id);
    this.placed.set(id, placed);
    if (before === undefined) {
      this.ids.push(id);
      this.isSorted = false;
    } else {
      this.count(before, -1);
    }
    this.count(placed, 1);
  }

  delete(id: TenantId): void {
    const placed = this.placed.get(id);
    if (placed !== undefined) {
      this.placed.delete(id);
      this.isSorted = false;
      this.count(placed, -1);
    }
  }

  /** In order of id. */
  list({ pool, after, limit }: TenantSearch): PlacedTenant[] {
    this.sort();
    const found: PlacedTenant[] = [];
    for (let at = after === undefined ? 0 : this.positionBehind(after); at < this.ids.length; at += 1) {
      const id = this.ids[at];
      const placed = id && this.placed.get(id);
      if (placed && (pool === undefined || placed.pools.has(pool))) {
        found.push(placed);
        if (found.length === limit) {
          break;
        }
      }
    }
    return found;
  }

  /** The pools that have tenants. */
  pools(): Iterable<PoolName> {
    return this.members.keys();
  }

  membersOf(pool: PoolName): PoolMembers {
    return this.members.get(pool) ?? NO_MEMBERS;
  }

  private count({ tenant, pools }: PlacedTenant, sign: 1 | -1): void {
    for (const pool of pools) {
      const { tenants, patterns } = this.membersOf(pool);
      const now = { tenants: tenants + sign, patterns: patterns + sign * tenant.namespacePatterns.length };
      if (now.tenants === 0) {
        this.members.delete(pool);
      } else {
        this.members.set(pool, now);
      }
    }
  }

  /** Quick after few changes: what was in order stays in order. */
  private sort(): void {
    if (!this.isSorted) {
      this.ids = [...new Set(this.ids.filter((id) => this.placed.has(id)))].sort();
      this.isSorted = true;
    }
  }

  private positionBehind(id: TenantId): number {
    let [low, high] = [0, this.ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ids[middle] ?? '') <= id) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
