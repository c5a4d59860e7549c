import { DomainError } from '@palisade/domain';

/** The namespace has no such key. */
export class KeyNotFoundError extends DomainError {
  readonly code = 'KEY_NOT_FOUND';

  constructor(key: string) {
    super(`there is no key ${JSON.stringify(key.slice(0, 80))}`);
  }
}
