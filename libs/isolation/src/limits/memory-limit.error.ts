import { DomainError } from '@palisade/domain';

/** The namespace may not hold so much memory more; what has been held so far stays held until it is given back. */
export class MemoryLimitError extends DomainError {
  override readonly name = 'MemoryLimitError';
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
