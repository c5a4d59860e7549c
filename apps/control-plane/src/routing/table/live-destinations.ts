import { setImmediate as nextTurn } from 'node:timers/promises';
import { literalPrefix, patternShape, type NamespacePattern } from '@palisade/domain';
import type { DesiredState, Destination } from './desired-state.js';

export type Destinations = Pick<DesiredState, 'exact' | 'prefixes' | 'wildcards'>;

/** This many are copied before other work gets its turn, which takes some milliseconds. */
const CHUNK = 2000;

/** The changing destinations of patterns; a copy shows one moment and does not change. */
export class LiveDestinations {
  private readonly live = new Map<NamespacePattern, Destination>();
  /** For each copy in progress: the patterns that have changed since it began. */
  private readonly changedDuringCopies = new Set<Set<NamespacePattern>>();

  get(pattern: NamespacePattern): Destination | undefined {
    return this.live.get(pattern);
  }

  set(pattern: NamespacePattern, destination: Destination): void {
    this.live.set(pattern, destination);
    this.note(pattern);
  }

  delete(pattern: NamespacePattern): void {
    this.live.delete(pattern);
    this.note(pattern);
  }

  /**
   * All destinations at the moment when the copy is complete. Yields to other work meanwhile, which may change them.
   *
   * @param complete is called at that moment
   */
  async copy<T>(complete: () => T): Promise<Destinations & { readonly moment: T }> {
    const changed = new Set<NamespacePattern>();
    this.changedDuringCopies.add(changed);
    const copy = new Copy();
    try {
      let left = CHUNK;
      for (const [pattern, destination] of this.live) {
        copy.set(pattern, destination);
        left -= 1;
        if (left === 0) {
          left = CHUNK;
          await nextTurn();
        }
      }
    } finally {
      this.changedDuringCopies.delete(changed);
    }
    for (const pattern of changed) {
      copy.set(pattern, this.live.get(pattern));
    }
    return { exact: copy.exact, prefixes: copy.prefixes, wildcards: copy.wildcards, moment: complete() };
  }

  private note(pattern: NamespacePattern): void {
    for (const changed of this.changedDuringCopies) {
      changed.add(pattern);
    }
  }
}

class Copy {
  readonly exact = new Map<string, Destination>();
  readonly prefixes = new Map<string, Destination>();
  readonly wildcards = new Map<NamespacePattern, Destination>();

  set(pattern: NamespacePattern, destination: Destination | undefined): void {
    switch (patternShape(pattern)) {
      case 'exact':
        return put(this.exact, pattern, destination);
      case 'prefix':
        return put(this.prefixes, literalPrefix(pattern), destination);
      case 'wildcard':
        return put(this.wildcards, pattern, destination);
    }
  }
}

function put<K>(map: Map<K, Destination>, key: K, destination: Destination | undefined): void {
  if (destination === undefined) {
    map.delete(key);
  } else {
    map.set(key, destination);
  }
}
