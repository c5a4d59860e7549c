/**
 * What one of several replicas may take of a cap that holds for all: rounded down, and `least` at least.
 *
 * @throws {RangeError} when `replicas` is no integer from 1 on
 */
export function partOfCap(cap: number, replicas: number, least = 1): number {
  if (!Number.isSafeInteger(replicas) || replicas < 1) {
    throw new RangeError(`replicas: expected an integer of at least 1, found ${replicas}`);
  }
  return Math.max(least, Math.floor(cap / replicas));
}
