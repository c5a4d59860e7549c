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
