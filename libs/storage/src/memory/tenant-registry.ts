import {
  MAX_WILDCARD_PATTERNS,
  NamespaceOverlapError,
  type NamespacePattern,
  patternShape,
  type Tenant,
  type TenantChanges,
  type TenantId,
  TooManyPatternsError,
} from '@palisade/domain';
import { PatternTable } from './pattern-table.js';

interface Change {
  readonly revision: number;
  /** Undefined when the tenant was removed. */
  readonly tenant: Tenant | undefined;
}

/** All tenants, including removed ones, each with the revision of its latest change. */
export class TenantRegistry {
  /** In order of revision: a changed tenant moves to the end. */
  private readonly changes = new Map<TenantId, Change>();
  private readonly patterns = new PatternTable();
  private lastRevision = 0;

  get revision(): number {
    return this.lastRevision;
  }

  find(id: TenantId): Tenant | undefined {
    return this.changes.get(id)?.tenant;
  }

  tenants(): Tenant[] {
    return [...this.changes.values()].flatMap(({ tenant }) => tenant ?? []);
  }

  /**
   * Adds a tenant, or replaces the one with its id.
   *
   * @throws {NamespaceOverlapError} {@link TooManyPatternsError} and nothing has changed
   */
  set(tenant: Tenant): void {
    const { id, namespacePatterns } = tenant;
    this.requireRoomFor(id, namespacePatterns);
    for (const pattern of namespacePatterns) {
      const other = this.patterns.findOverlap(id, pattern);
      if (other) {
        throw new NamespaceOverlapError(pattern, other);
      }
    }
    this.forgetPatternsOf(id);
    for (const pattern of namespacePatterns) {
      this.patterns.add(id, pattern);
    }
    this.note(id, tenant);
  }

  delete(id: TenantId): void {
    this.forgetPatternsOf(id);
    this.note(id, undefined);
  }

  changesSince(revision: number, limit: number): TenantChanges {
    const later = [...this.changes].filter(([, change]) => change.revision > revision);
    const page = later.slice(0, limit);
    const hasMore = later.length > page.length;
    return {
      revision: hasMore ? (page.at(-1)?.[1].revision ?? revision) : this.lastRevision,
      changed: page.flatMap(([, { tenant }]) => tenant ?? []),
      removed: page.flatMap(([id, { tenant }]) => (tenant ? [] : id)),
      hasMore,
    };
  }

  private requireRoomFor(id: TenantId, patterns: readonly NamespacePattern[]): void {
    const wanted = countWildcards(patterns);
    const others = this.patterns.wildcardCount - countWildcards(this.find(id)?.namespacePatterns ?? []);
    if (wanted > 0 && others + wanted > MAX_WILDCARD_PATTERNS) {
      throw new TooManyPatternsError(MAX_WILDCARD_PATTERNS);
    }
  }

  private forgetPatternsOf(id: TenantId): void {
    for (const pattern of this.find(id)?.namespacePatterns ?? []) {
      this.patterns.delete(id, pattern);
    }
  }

  private note(id: TenantId, tenant: Tenant | undefined): void {
    this.lastRevision += 1;
    this.changes.delete(id);
    this.changes.set(id, { revision: this.lastRevision, tenant });
  }
}

function countWildcards(patterns: readonly NamespacePattern[]): number {
  return patterns.filter((pattern) => patternShape(pattern) === 'wildcard').length;
}
