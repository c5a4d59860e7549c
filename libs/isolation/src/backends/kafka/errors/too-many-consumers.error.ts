import { DomainError } from '@palisade/domain';

/** The namespace has as many consumers and transactions open as it may: each has connections of its own. */
export class TooManyConsumersError extends DomainError {
  override readonly name = 'TooManyConsumersError';
  readonly code = 'TOO_MANY_CONSUMERS';
  readonly retryAfterSeconds = 1;

  constructor(readonly max: number) {
    super(`kafka: expected at most ${max} consumers and transactions of a namespace at once`);
  }
}
