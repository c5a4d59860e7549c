import { DomainError, type NamespaceId } from '@palisade/domain';

/** The caller does not administer this namespace; to them it does not exist. */
export class NamespaceNotFoundError extends DomainError {
  override readonly name = 'NamespaceNotFoundError';
  readonly code = 'NAMESPACE_NOT_FOUND';

  constructor(readonly namespace: NamespaceId) {
    super(`namespace "${namespace}" does not exist among those that you administer`);
  }
}
