import { createHash } from 'node:crypto';
import type { Destination, WeightedSplit } from '../../routing/table/desired-state.js';
import { RejectedStateError } from '../load-balancer.errors.js';
import { printInteger, printPool } from './printed-values.js';

/** HAProxy compares each request with all splits, one by one. */
const MAX_SPLITS = 1000;
const MAX_SPLIT_WEIGHT = 2 ** 31;

/** The names of destinations in a configuration: a pool has its own, a split has one that no pool can have. */
export class DestinationNames {
  private readonly names = new Map<Destination, string>();
  private readonly found = new Map<string, WeightedSplit>();

  /** @throws {RejectedStateError} when the name of a pool is invalid, or a split is empty or has a weight out of range */
  nameOf(destination: Destination): string {
    const known = this.names.get(destination);
    if (known !== undefined) {
      return known;
    }
    const name = typeof destination === 'string' ? printPool(destination) : this.nameSplit(destination);
    this.names.set(destination, name);
    return name;
  }

  /** The splits that have been named, in order of name. */
  splits(): (readonly [string, WeightedSplit])[] {
    return [...this.found].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  private nameSplit(split: WeightedSplit): string {
    const parts = split.parts.map(
      ({ pool, weight }) => `${printPool(pool)}=${printInteger('the weight of a split', weight, 1, MAX_SPLIT_WEIGHT)}`,
    );
    if (parts.length === 0) {
      throw new RejectedStateError('a split has no pool');
    }
    const name = `_${createHash('sha256').update(parts.join()).digest('hex').slice(0, 16)}`;
    this.found.set(name, split);
    if (this.found.size > MAX_SPLITS) {
      throw new RejectedStateError(`there are more than ${MAX_SPLITS} different splits`);
    }
    return name;
  }
}
