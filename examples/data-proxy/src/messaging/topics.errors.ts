import { DomainError } from '@palisade/domain';

/** The namespace has no such topic. */
export class TopicNotFoundError extends DomainError {
  readonly code = 'TOPIC_NOT_FOUND';

  constructor(topic: string, options: ErrorOptions) {
    super(`there is no topic ${JSON.stringify(topic.slice(0, 80))}`, options);
  }
}

/** The brokers cannot serve the request at the moment, for example while they elect the leader of a partition. */
export class TopicUnavailableError extends DomainError {
  readonly code = 'TOPIC_UNAVAILABLE';
  readonly retryAfterSeconds = 1;

  constructor(topic: string, options: ErrorOptions) {
    super(`topic ${JSON.stringify(topic.slice(0, 80))}: the brokers cannot serve the request at the moment`, options);
  }
}
