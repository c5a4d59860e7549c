import { DomainError } from '@palisade/domain';

/** More messages came than may wait for their consumer, so the subscription has ended: those after the last are lost. */
export class SlowConsumerError extends DomainError {
  override readonly name = 'SlowConsumerError';
  readonly code = 'SLOW_CONSUMER';

  constructor(
    readonly messages: number,
    readonly bytes: number,
  ) {
    super(`the subscription ended: ${messages} messages of ${bytes} bytes together waited to be consumed`);
  }
}
