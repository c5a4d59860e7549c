import { crc32 } from 'node:zlib';
import {
  comparePatterns,
  type IndexedPattern,
  literalPrefix,
  type NamespacePattern,
  PatternIndex,
  patternsOverlap,
  type PoolName,
} from '@palisade/domain';
import type { Destination } from './desired-state.js';
import { intersectPatterns } from './pattern-intersection.js';
import type { NamespaceRoute } from '../../config/control-plane-settings.js';

interface Part {
  readonly pool: PoolName;
  readonly weight: number;
  /** Position in `namespace_routing`. */
  readonly entry: number;
}

/** The entries of `namespace_routing` that have the same pattern. */
export class SharedPattern {
  private readonly totalWeight: number;

  constructor(
    readonly pattern: NamespacePattern,
    /** In the order of the file. */
    readonly parts: readonly [Part, ...Part[]],
  ) {
    this.totalWeight = parts.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** The same part for the same namespace, as the load balancer finds it. */
  partOf(namespace: string): Part {
    const [first] = this.parts;
    if (this.parts.length === 1) {
      return first;
    }
    let remainder = crc32(namespace) % this.totalWeight;
    for (const part of this.parts) {
      if (remainder < part.weight) {
        return part;
      }
      remainder -= part.weight;
    }
    return first;
  }

  get destination(): Destination {
    const [{ pool }, ...others] = this.parts;
    return others.every((part) => part.pool === pool)
      ? pool
      : { parts: this.parts.map((part) => ({ pool: part.pool, weight: part.weight })) };
  }
}

/** `namespace_routing`: where namespaces go that no tenant has a place for. */
export class NamespaceRoutes {
  private readonly index = new PatternIndex<SharedPattern>();
  private readonly shared: readonly SharedPattern[];
  private readonly patternsByPool = new Map<PoolName, number>();
  private readonly byPrefix: ReadonlyMap<string, readonly SharedPattern[]>;
  /** The keys of `byPrefix`, in order. */
  private readonly prefixes: readonly string[];

  constructor(readonly entries: readonly NamespaceRoute[]) {
    const parts = entries.map(({ pattern, pool, weight }, entry) => ({ pattern, pool, weight, entry }));
    this.shared = [...Map.groupBy(parts, ({ pattern }) => pattern)].flatMap(([pattern, [first, ...others]]) =>
      first === undefined ? [] : new SharedPattern(pattern, [first, ...others]),
    );
    for (const shared of this.shared) {
      this.index.set(shared.pattern, shared);
      for (const pool of new Set(shared.parts.map((part) => part.pool))) {
        this.patternsByPool.set(pool, this.patternsTo(pool) + 1);
      }
    }
    this.byPrefix = Map.groupBy(this.shared, ({ pattern }) => literalPrefix(pattern));
    this.prefixes = [...this.byPrefix.keys()].sort();
  }

  find(namespace: string): SharedPattern | undefined {
    return this.index.find(namespace);
  }

  get(pattern: NamespacePattern): SharedPattern | undefined {
    return this.index.get(pattern);
  }

  /** Every pattern that matches the namespace, in order of precedence. */
  matches(namespace: string): IndexedPattern<SharedPattern>[] {
    return this.index.matches(namespace);
  }

  /** How many patterns lead to the pool, alone or with others. */
  patternsTo(pool: PoolName): number {
    return this.patternsByPool.get(pool) ?? 0;
  }

  /** In the order of the file. */
  all(): readonly SharedPattern[] {
    return this.shared;
  }

  /** Those with a namespace in common with the pattern, in order of precedence. */
  overlapping(pattern: NamespacePattern): SharedPattern[] {
    const prefix = literalPrefix(pattern);
    const above = Array.from({ length: prefix.length }, (_, length) => prefix.slice(0, length));
    return [...above.flatMap((shorter) => this.byPrefix.get(shorter) ?? []), ...this.beginningWith(prefix)]
      .filter((shared) => patternsOverlap(pattern, shared.pattern))
      .toSorted((a, b) => comparePatterns(a.pattern, b.pattern));
  }

  /** What a tenant's pattern comes to in a list in which the most exact pattern has a namespace, whoever's it is. */
  claimsOf(pattern: NamespacePattern): NamespacePattern[] {
    if (this.shared.length === 0) {
      return [pattern];
    }
    const common = this.preceding(pattern)
      // An entry that cannot be divided is the tenant's as a whole: its namespaces must not go where others are.
      .flatMap((shared) => intersectPatterns(shared.pattern, pattern) ?? [shared.pattern]);
    return [pattern, ...common];
  }

  /** Those with a namespace in common with the pattern that would come before it, were they patterns of one list. */
  private preceding(pattern: NamespacePattern): SharedPattern[] {
    // What overlaps with a pattern and has no shorter literal prefix begins with the pattern's.
    return this.beginningWith(literalPrefix(pattern)).filter(
      (shared) => comparePatterns(shared.pattern, pattern) < 0 && patternsOverlap(shared.pattern, pattern),
    );
  }

  private beginningWith(prefix: string): SharedPattern[] {
    // No character of a prefix comes behind "~".
    const prefixes = this.prefixes.slice(this.positionOf(prefix), this.positionOf(`${prefix}~`));
    return prefixes.flatMap((each) => this.byPrefix.get(each) ?? []);
  }

  /** The position of the first prefix that is not before the given one. */
  private positionOf(prefix: string): number {
    let [low, high] = [0, this.prefixes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.prefixes[middle] ?? '') < prefix) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
