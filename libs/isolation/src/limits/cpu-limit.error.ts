import { DomainError } from '@palisade/domain';

/** The namespace has had more CPU time than its share; the work was not started. */
export class CpuLimitError extends DomainError {
  override readonly name = 'CpuLimitError';
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
