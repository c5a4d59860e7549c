import { DomainError } from '@palisade/domain';

/**
 * The namespace is not the caller's. Whether it exists is not told: one that the caller may not see is answered as one
 * that does not exist.
 */
export class NamespaceNotFoundError extends DomainError {
  override readonly name = 'NamespaceNotFoundError';
  readonly code = 'NAMESPACE_NOT_FOUND';

  constructor(readonly namespace: string) {
    super(`there is no namespace ${JSON.stringify(namespace.slice(0, 80))} for this caller`);
  }
}
