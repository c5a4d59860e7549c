import { DomainError } from '@palisade/domain';

/** CPU time cannot be told by namespace in this process; the start fails, since limits on it would not hold. */
export class CpuUsageUnavailableError extends DomainError {
  readonly code = 'CPU_USAGE_UNAVAILABLE';

  constructor(options?: ErrorOptions) {
    const cause = options?.cause instanceof Error ? options.cause.message : String(options?.cause);
    super(`the CPU time of namespaces cannot be measured here: ${cause}`, options);
  }
}
