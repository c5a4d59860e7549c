/** A value's place in a {@link PriorityQueue}; it is in one queue at most. */
export class Rank<T> {
  /** Index in the queue's heap; -1 while it is in none. */
  position = -1;

  constructor(readonly value: T) {}
}

/**
 * A binary heap whose entries know where they are, so that an entry whose order has changed, or that is no longer
 * wanted, is found in constant time and moved in logarithmic time.
 */
export class PriorityQueue<T> {
  readonly #heap: Rank<T>[] = [];
  readonly #isBefore: (a: T, b: T) => boolean;

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get length(): number {
    return this.#heap.length;
  }

  get first(): T | undefined {
    return this.#heap[0]?.value;
  }

  /** Puts an entry in, or moves it to where it now belongs. */
  put(rank: Rank<T>): void {
    if (rank.position === -1) {
      rank.position = this.#heap.length;
      this.#heap.push(rank);
    }
    this.#raise(rank);
    this.#sink(rank);
  }

  /** Takes an entry out; one that is in no queue stays so. */
  remove(rank: Rank<T>): void {
    const { position } = rank;
    if (position === -1) {
      return;
    }
    rank.position = -1;
    const last = this.#heap.pop();
    if (last !== undefined && last !== rank) {
      this.#place(last, position);
      this.#raise(last);
      this.#sink(last);
    }
  }

  #place(rank: Rank<T>, position: number): void {
    this.#heap[position] = rank;
    rank.position = position;
  }

  #raise(rank: Rank<T>): void {
    while (rank.position > 0) {
      const parent = this.#heap[(rank.position - 1) >> 1];
      if (parent === undefined || !this.#isBefore(rank.value, parent.value)) {
        return;
      }
      this.#swap(rank, parent);
    }
  }

  #sink(rank: Rank<T>): void {
    for (;;) {
      const left = this.#heap[rank.position * 2 + 1];
      const right = this.#heap[rank.position * 2 + 2];
      const child = right !== undefined && left !== undefined && this.#isBefore(right.value, left.value) ? right : left;
      if (child === undefined || !this.#isBefore(child.value, rank.value)) {
        return;
      }
      this.#swap(rank, child);
    }
  }

  #swap(a: Rank<T>, b: Rank<T>): void {
    const { position } = a;
    this.#place(a, b.position);
    this.#place(b, position);
  }
}
