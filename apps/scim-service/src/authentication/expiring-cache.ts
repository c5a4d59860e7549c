import { LRUCache } from 'lru-cache';

interface Entry<V> {
  readonly value: Promise<V>;
  readonly expiresAt: number;
}

export interface ExpiringCacheOptions {
  readonly maxEntries: number;
  readonly maxAgeMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Answers of a store, reused for a short time. Parallel questions for one key are asked once; failures are not kept.
 * Beyond `maxEntries` the least recently used answer is forgotten.
 */
export class ExpiringCache<V> {
  private readonly entries: LRUCache<string, Entry<V>>;

  constructor(private readonly options: ExpiringCacheOptions) {
    this.entries = new LRUCache({ max: options.maxEntries });
  }

  get(key: string, load: () => Promise<V>): Promise<V> {
    const known = this.entries.get(key);
    if (known !== undefined && this.options.now() < known.expiresAt) {
      return known.value;
    }
    const entry = { value: load(), expiresAt: this.options.now() + this.options.maxAgeMs };
    this.entries.set(key, entry);
    entry.value.catch(() => this.forget(key, entry));
    return entry.value;
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  /** Questions asked from now on go to the store, even while older answers are still under way. */
  clear(): void {
    this.entries.clear();
  }

  private forget(key: string, entry: Entry<V>): void {
    if (this.entries.peek(key) === entry) {
      this.entries.delete(key);
    }
  }
}
