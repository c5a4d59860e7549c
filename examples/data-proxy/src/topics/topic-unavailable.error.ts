import { DomainError } from '@palisade/domain';

/** The brokers cannot do it at the moment, such as while they choose who leads a partition. */
export class TopicUnavailableError extends DomainError {
  override readonly name = 'TopicUnavailableError';
  readonly code = 'TOPIC_UNAVAILABLE';
  readonly retryAfterSeconds = 1;

  constructor(topic: string, options: ErrorOptions) {
    super(`topic ${JSON.stringify(topic.slice(0, 80))}: the brokers cannot do it at the moment`, options);
  }
}
