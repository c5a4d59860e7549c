import { DomainError } from '@palisade/domain';

/** The client went away before it was answered; what was under way for it was told to end. */
export class ClientGoneError extends DomainError {
  override readonly name = 'ClientGoneError';
  readonly code = 'CLIENT_GONE';

  constructor() {
    super('the client went away before it was answered');
  }
}
