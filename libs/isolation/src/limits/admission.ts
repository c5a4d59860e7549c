import type { Clock } from '@palisade/async';
import type { NamespaceId } from '@palisade/domain';
import { CpuLimiter } from './cpu-limiter.js';
import { MemoryLedger } from './memory-ledger.js';
import { RequestLimiter } from './request-limiter.js';
import type { LiveLimits } from './resource-limits.js';

/** Decides whether a namespace may begin a piece of work, by all of its limits. */
export class Admission {
  readonly requests: RequestLimiter;
  readonly cpu: CpuLimiter;
  readonly memory: MemoryLedger;

  constructor(
    readonly limits: LiveLimits,
    clock: Clock,
  ) {
    const maxRps = (namespace: NamespaceId) => limits.resourcesOf(namespace).maxRps;
    this.requests = new RequestLimiter({ maxRps, clock });
    this.cpu = new CpuLimiter({ limits, clock });
    this.memory = new MemoryLedger(limits);
  }

  /**
   * @throws {MemoryLimitError} while it holds as much memory as it may
   * @throws {CpuLimitError} while it is above its share of CPU time
   * @throws {RateLimitedError} when this is one request too many; only requests that pass the other limits count
   */
  admit(namespace: NamespaceId): void {
    this.memory.admit(namespace);
    this.cpu.admit(namespace);
    this.requests.admit(namespace);
  }
}
