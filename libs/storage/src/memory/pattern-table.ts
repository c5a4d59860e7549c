import { literalPrefix, type NamespacePattern, patternShape, patternsOverlap, type TenantId } from '@palisade/domain';
import { compareValues } from '@palisade/scim';
import { prefixesOf } from '../tenant-content.js';
import { partitionPoint } from './collections.js';

export interface OwnedPattern {
  readonly tenant: TenantId;
  readonly pattern: NamespacePattern;
}

/** The patterns of all tenants, indexed by their literal prefixes. */
export class PatternTable {
  private readonly byPrefix = new Map<string, OwnedPattern[]>();
  /** The keys of `byPrefix`, in order. */
  private readonly prefixes: string[] = [];
  private wildcards = 0;

  get wildcardCount(): number {
    return this.wildcards;
  }

  /** A pattern of another tenant that overlaps with the given one. */
  findOverlap(tenant: TenantId, pattern: NamespacePattern): OwnedPattern | undefined {
    for (const candidate of this.candidates(pattern)) {
      if (candidate.tenant !== tenant && patternsOverlap(pattern, candidate.pattern)) {
        return candidate;
      }
    }
    return undefined;
  }

  add(tenant: TenantId, pattern: NamespacePattern): void {
    const prefix = literalPrefix(pattern);
    const patterns = this.byPrefix.get(prefix);
    if (patterns) {
      patterns.push({ tenant, pattern });
    } else {
      this.byPrefix.set(prefix, [{ tenant, pattern }]);
      this.prefixes.splice(this.positionOf(prefix), 0, prefix);
    }
    this.wildcards += Number(patternShape(pattern) === 'wildcard');
  }

  delete(tenant: TenantId, pattern: NamespacePattern): void {
    const prefix = literalPrefix(pattern);
    const patterns = this.byPrefix.get(prefix) ?? [];
    const left = patterns.filter((owned) => owned.tenant !== tenant || owned.pattern !== pattern);
    if (left.length > 0) {
      this.byPrefix.set(prefix, left);
    } else if (this.byPrefix.delete(prefix)) {
      this.prefixes.splice(this.positionOf(prefix), 1);
    }
    this.wildcards -= Number(patterns.length > left.length && patternShape(pattern) === 'wildcard');
  }

  /** Patterns overlap only when the literal prefix of one is a prefix of the other's. */
  private *candidates(pattern: NamespacePattern): Iterable<OwnedPattern> {
    const own = literalPrefix(pattern);
    for (const prefix of prefixesOf(own)) {
      yield* this.byPrefix.get(prefix) ?? [];
    }
    if (own === pattern) {
      return;
    }
    for (let at = partitionPoint(this.prefixes, (other) => compareValues(other, own) <= 0); ; at += 1) {
      const prefix = this.prefixes[at];
      if (prefix === undefined || !prefix.startsWith(own)) {
        return;
      }
      yield* this.byPrefix.get(prefix) ?? [];
    }
  }

  private positionOf(prefix: string): number {
    return partitionPoint(this.prefixes, (other) => compareValues(other, prefix) < 0);
  }
}
