const NONE: ReadonlySet<never> = new Set<never>();

/** A map from a key to one or more values, in the order in which they were added. Deleting the last value deletes the key. */
export class MultiMap<K, V> {
  private readonly sets = new Map<K, Set<V>>();

  get keyCount(): number {
    return this.sets.size;
  }

  get(key: K): ReadonlySet<V> {
    return this.sets.get(key) ?? NONE;
  }

  add(key: K, value: V): void {
    const values = this.sets.get(key);
    if (values) {
      values.add(value);
    } else {
      this.sets.set(key, new Set([value]));
    }
  }

  delete(key: K, value: V): void {
    const values = this.sets.get(key);
    if (values?.delete(value) && values.size === 0) {
      this.sets.delete(key);
    }
  }
}

/** Index of the first item that does not satisfy the predicate, in a list where those that do come first. */
export function partitionPoint<T>(items: readonly T[], predicate: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && predicate(item)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
