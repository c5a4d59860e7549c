import { DomainError } from '@palisade/domain';

/** The namespace has no such topic. */
export class TopicNotFoundError extends DomainError {
  override readonly name = 'TopicNotFoundError';
  readonly code = 'TOPIC_NOT_FOUND';

  constructor(topic: string, options: ErrorOptions) {
    super(`there is no topic ${JSON.stringify(topic.slice(0, 80))}`, options);
  }
}
