import { DomainError } from '@palisade/domain';

/** The namespace has had more CPU time than its share; the work was not started. */
export class CpuLimitError extends DomainError {
  readonly code = 'CPU_LIMIT';
  readonly retryAfterSeconds: number;

  constructor(
    readonly namespace: string,
    readonly cores: number,
    retryInMs: number,
  ) {
    const retryAfterSeconds = Math.max(1, Math.ceil(retryInMs / 1000));
    super(
      `namespace "${namespace}" has had more than its share of ${cores} CPU cores, retry in ${retryAfterSeconds} s`,
    );
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The namespace may not hold that much more memory; what it holds so far stays held until it is given back. */
export class MemoryLimitError extends DomainError {
  readonly code = 'MEMORY_LIMIT';

  constructor(
    readonly namespace: string,
    readonly heldBytes: number,
    readonly wantedBytes: number,
    readonly maxBytes: number,
    readonly retryAfterSeconds = 1,
  ) {
    super(`namespace "${namespace}" holds ${heldBytes} bytes of ${maxBytes} and wants ${wantedBytes} more`);
  }
}

/** No more requests of the namespace are taken at the moment; this one was not started. */
export class RateLimitedError extends DomainError {
  readonly code = 'RATE_LIMITED';
  readonly retryAfterSeconds: number;

  constructor(
    readonly namespace: string,
    reason: string,
    retryInMs: number,
  ) {
    super(`namespace "${namespace}": ${reason}`);
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryInMs / 1000));
  }
}
