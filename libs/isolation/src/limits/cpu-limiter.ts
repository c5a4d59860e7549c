import type { NamespaceId } from '@palisade/domain';
import type { Clock } from '@palisade/async';
import { CpuLimitError } from './limit.errors.js';
import type { LiveLimits } from './resource-limits.js';

export interface CpuLimiterOptions {
  readonly limits: LiveLimits;
  readonly clock: Clock;
}

/** CPU time that a namespace has had and that its share has not made good for yet. */
interface Debt {
  cpuMs: number;
  atMs: number;
}

/**
 * Keeps the average CPU time of each namespace at its share by admitting nothing while it is above. A namespace that was
 * quiet may take a window's worth at once; work that is under way is never stopped.
 */
export class CpuLimiter {
  readonly #options: CpuLimiterOptions;
  /** Only of namespaces that have a limit, and had CPU time lately. */
  readonly #debts = new Map<NamespaceId, Debt>();

  constructor(options: CpuLimiterOptions) {
    this.#options = options;
  }

  /** Namespaces that had CPU time lately. */
  get namespaces(): number {
    return this.#debts.size;
  }

  /** @throws {CpuLimitError} while the namespace is above its share */
  admit(namespace: NamespaceId): void {
    const debt = this.#debts.get(namespace);
    if (debt === undefined) {
      return;
    }
    const { limits, clock } = this.#options;
    const cores = this.#coresOf(namespace);
    const excessMs = remaining(debt, cores, clock.now()) - cores * limits.cpuWindowMs;
    if (excessMs > 0) {
      throw new CpuLimitError(namespace, cores, excessMs / cores);
    }
  }

  /** Counts CPU time that was told since the last call, and forgets whoever has no debt any more. */
  charge(cpuMsByNamespace: ReadonlyMap<NamespaceId, number>): void {
    const nowMs = this.#options.clock.now();
    for (const [namespace, cpuMs] of cpuMsByNamespace) {
      const cores = this.#coresOf(namespace);
      if (cores !== Infinity) {
        const debt = this.#debts.get(namespace);
        const oldMs = debt === undefined ? 0 : remaining(debt, cores, nowMs);
        this.#debts.set(namespace, { cpuMs: oldMs + cpuMs, atMs: nowMs });
      }
    }
    for (const [namespace, debt] of this.#debts) {
      if (remaining(debt, this.#coresOf(namespace), nowMs) === 0) {
        this.#debts.delete(namespace);
      }
    }
  }

  #coresOf(namespace: NamespaceId): number {
    return this.#options.limits.resourcesOf(namespace).cores ?? Infinity;
  }
}

function remaining({ cpuMs, atMs }: Debt, cores: number, nowMs: number): number {
  return Math.max(0, cpuMs - (nowMs - atMs) * cores);
}
