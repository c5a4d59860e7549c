import {
  comparePatterns,
  literalPrefix,
  matchesNamespace,
  patternShape,
  type NamespacePattern,
} from './namespace-pattern.js';
import { PrefixTable, hashPrefixes } from './prefix-table.js';

export interface IndexedPattern<T> {
  readonly pattern: NamespacePattern;
  readonly value: T;
}

const MAX_NAMESPACE_LENGTH = 63;

/**
 * Patterns with what belongs to them, found by a namespace that they match, the one that comes first by
 * `comparePatterns` before the others. Finding costs one lookup for the name and one for each length that literal prefixes
 * have (64 at most), however many names and prefixes there are; patterns of other shapes are matched one by one, but
 * only those whose literal prefix the namespace has.
 */
export class PatternIndex<T extends object> {
  private readonly names = new PrefixTable<T>();
  /** Entries whose pattern is a prefix and a single `*`, by prefix. */
  private readonly plain = new PrefixTable<T>();
  /** All others, by literal prefix, in order of precedence; each comes before the plain one of its prefix. */
  private readonly wildcards = new PrefixTable<readonly IndexedPattern<T>[]>();
  /** How many prefixes of each length there are. */
  private readonly prefixes = new Map<number, number>();
  /** The keys of `prefixes`, longest first. */
  private lengths: readonly number[] = [];

  /** Adds the pattern, or gives it another value. */
  set(pattern: NamespacePattern, value: T): void {
    const prefix = literalPrefix(pattern);
    switch (patternShape(pattern)) {
      case 'exact':
        this.names.set(pattern, value);
        return;
      case 'prefix':
        this.notePrefix(prefix, Number(this.plain.get(prefix) === undefined));
        this.plain.set(prefix, value);
        return;
      case 'wildcard': {
        const known = this.wildcards.get(prefix);
        const others = known?.filter((entry) => entry.pattern !== pattern) ?? [];
        const entries = [...others, { pattern, value }];
        this.notePrefix(prefix, Number(known === undefined));
        this.wildcards.set(
          prefix,
          entries.toSorted((a, b) => comparePatterns(a.pattern, b.pattern)),
        );
      }
    }
  }

  get(pattern: NamespacePattern): T | undefined {
    const prefix = literalPrefix(pattern);
    switch (patternShape(pattern)) {
      case 'exact':
        return this.names.get(pattern);
      case 'prefix':
        return this.plain.get(prefix);
      case 'wildcard':
        return this.wildcards.get(prefix)?.find((entry) => entry.pattern === pattern)?.value;
    }
  }

  /** Does nothing when the pattern is not there. */
  delete(pattern: NamespacePattern): void {
    if (this.get(pattern) === undefined) {
      return;
    }
    const prefix = literalPrefix(pattern);
    switch (patternShape(pattern)) {
      case 'exact':
        this.names.delete(pattern);
        return;
      case 'prefix':
        this.plain.delete(prefix);
        this.notePrefix(prefix, -1);
        return;
      case 'wildcard': {
        const left = this.wildcards.get(prefix)?.filter((entry) => entry.pattern !== pattern) ?? [];
        if (left.length > 0) {
          this.wildcards.set(prefix, left);
        } else {
          this.wildcards.delete(prefix);
          this.notePrefix(prefix, -1);
        }
      }
    }
  }

  /** What belongs to the pattern that has the namespace. */
  find(namespace: string): T | undefined {
    const { length } = namespace;
    if (length > MAX_NAMESPACE_LENGTH) {
      return undefined;
    }
    const hashes = hashPrefixes(namespace);
    const name = this.names.at(hashes, namespace, length);
    if (name !== undefined) {
      return name;
    }
    for (const prefixLength of this.lengths) {
      if (prefixLength <= length) {
        const match =
          findMatch(this.wildcards.at(hashes, namespace, prefixLength), namespace) ??
          this.plain.at(hashes, namespace, prefixLength);
        if (match !== undefined) {
          return match;
        }
      }
    }
    return undefined;
  }

  /** Every pattern that matches the namespace, in order of precedence. */
  matches(namespace: string): IndexedPattern<T>[] {
    const found = this.lengths
      .filter((length) => length <= namespace.length)
      .flatMap((length) => {
        const prefix = namespace.slice(0, length);
        const plain = this.plain.get(prefix);
        const matching =
          this.wildcards.get(prefix)?.filter(({ pattern }) => matchesNamespace(pattern, namespace)) ?? [];
        return plain === undefined
          ? matching
          : [...matching, { pattern: `${prefix}*` as NamespacePattern, value: plain }];
      });
    const name = this.names.get(namespace);
    return name === undefined ? found : [{ pattern: namespace as NamespacePattern, value: name }, ...found];
  }

  private notePrefix({ length }: string, change: number): void {
    const count = (this.prefixes.get(length) ?? 0) + change;
    if (count === 0) {
      this.prefixes.delete(length);
    } else {
      this.prefixes.set(length, count);
    }
    if (this.prefixes.size !== this.lengths.length) {
      this.lengths = [...this.prefixes.keys()].toSorted((a, b) => b - a);
    }
  }
}

function findMatch<T>(entries: readonly IndexedPattern<T>[] | undefined, namespace: string): T | undefined {
  return entries?.find((entry) => matchesNamespace(entry.pattern, namespace))?.value;
}
