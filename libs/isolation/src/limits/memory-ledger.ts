import type { NamespaceId } from '@palisade/domain';
import { MemoryLimitError } from './limit.errors.js';
import type { LiveLimits } from './resource-limits.js';

/** Counts the memory that the process holds for each namespace, exactly as it is told, against the namespace's limit. */
export class MemoryLedger {
  /** Only of namespaces for which something is held. */
  readonly #heldBytes = new Map<NamespaceId, number>();

  constructor(private readonly limits: LiveLimits) {}

  /** Namespaces for which something is held. */
  get namespaces(): number {
    return this.#heldBytes.size;
  }

  heldBy(namespace: NamespaceId): number {
    return this.#heldBytes.get(namespace) ?? 0;
  }

  /** @throws {MemoryLimitError} while the namespace holds as much as it may */
  admit(namespace: NamespaceId): void {
    this.#require(namespace, 1);
  }

  /**
   * Counts memory until it is disposed of, once.
   *
   * @throws {MemoryLimitError} when it is more than the namespace may hold; then nothing is counted
   * @throws {RangeError} when it is no number of bytes
   */
  hold(namespace: NamespaceId, bytes: number): Disposable {
    if (!Number.isSafeInteger(bytes) || bytes < 0) {
      throw new RangeError(`expected a number of bytes, found ${bytes}`);
    }
    this.#require(namespace, bytes);
    this.#add(namespace, bytes);
    let left = bytes;
    return {
      [Symbol.dispose]: () => {
        this.#add(namespace, -left);
        left = 0;
      },
    };
  }

  #require(namespace: NamespaceId, bytes: number): void {
    const { bytes: maxBytes = Infinity } = this.limits.resourcesOf(namespace);
    const heldBytes = this.heldBy(namespace);
    if (heldBytes + bytes > maxBytes) {
      throw new MemoryLimitError(namespace, heldBytes, bytes, maxBytes);
    }
  }

  #add(namespace: NamespaceId, bytes: number): void {
    const heldBytes = this.heldBy(namespace) + bytes;
    if (heldBytes === 0) {
      this.#heldBytes.delete(namespace);
    } else {
      this.#heldBytes.set(namespace, heldBytes);
    }
  }
}
