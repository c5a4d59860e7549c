import type { NamespaceId } from '@palisade/domain';
import type { CpuLimiter } from './cpu-limiter.js';
import type { MemoryLedger } from './memory-ledger.js';
import type { RequestLimiter } from './request-limiter.js';

/** Decides whether a namespace may begin a piece of work, by all of its limits. */
export class Admission {
  constructor(
    readonly requests: RequestLimiter,
    readonly cpu: CpuLimiter,
    readonly memory: MemoryLedger,
  ) {}

  /**
   * @throws {MemoryLimitError} while it holds as much memory as it may
   * @throws {CpuLimitError} while it is above its share of CPU time
   * @throws {RateLimitedError} when this is one request too many; only requests that are not refused for another reason count
   */
  admit(namespace: NamespaceId): void {
    this.memory.admit(namespace);
    this.cpu.admit(namespace);
    this.requests.admit(namespace);
  }
}
