import { DomainError } from '@palisade/domain';

/** What should be produced is none that Kafka takes, or too much at once; nothing was sent. */
export class InvalidRecordError extends DomainError {
  override readonly name = 'InvalidRecordError';
  readonly code = 'INVALID_RECORD';

  constructor(
    readonly path: string,
    readonly expected: string,
  ) {
    super(`kafka: ${path}: expected ${expected}`);
  }
}
