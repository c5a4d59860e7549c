import { DomainError } from '@palisade/domain';

/** A broker has answered that it will not do what was asked. */
export class KafkaRefusedError extends DomainError {
  override readonly name = 'KafkaRefusedError';
  readonly code = 'KAFKA_REFUSED';

  /** `reason` is Kafka's name for it, such as `TOPIC_AUTHORIZATION_FAILED`; `isTransient` says that it may be otherwise soon. */
  constructor(
    readonly operation: string,
    readonly reason: string,
    readonly isTransient: boolean,
    options?: ErrorOptions,
  ) {
    super(`kafka: ${operation} was refused: ${reason}`, options);
  }
}
