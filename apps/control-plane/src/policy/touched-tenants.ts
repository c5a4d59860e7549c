import type { PoolName } from '@palisade/domain';

interface Entry {
  /** The revision that the change led to. */
  readonly revision: number;
  readonly ids: ReadonlyMap<PoolName, readonly string[]>;
}

const MAX_ENTRIES = 10_000;
const MAX_IDS = 50_000;

/** Which tenants of each pool have changed since a revision, as far as it is remembered. */
export class TouchedTenants {
  private entries: Entry[] = [];
  private count = 0;
  private beginning = 0;

  /** Forgets everything: only what changes after the revision is known. */
  reset(revision: number): void {
    this.entries = [];
    this.count = 0;
    this.beginning = revision;
  }

  add(revision: number, ids: ReadonlyMap<PoolName, readonly string[]>): void {
    this.entries.push({ revision, ids });
    this.count += countOf(ids);
    while (this.count > MAX_IDS || this.entries.length > MAX_ENTRIES) {
      const oldest = this.entries.shift();
      this.count -= countOf(oldest?.ids ?? new Map());
      this.beginning = oldest?.revision ?? this.beginning;
    }
  }

  /** Undefined when the revision is too old. */
  since(revision: number, pool: PoolName): ReadonlySet<string> | undefined {
    if (revision < this.beginning) {
      return undefined;
    }
    const touched = new Set<string>();
    for (let at = this.entries.length - 1; at >= 0; at -= 1) {
      const entry = this.entries[at];
      if (entry === undefined || entry.revision <= revision) {
        break;
      }
      entry.ids.get(pool)?.forEach((id) => touched.add(id));
    }
    return touched;
  }
}

function countOf(ids: Entry['ids']): number {
  let count = 0;
  for (const each of ids.values()) {
    count += each.length;
  }
  return count;
}
