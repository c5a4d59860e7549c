import { DomainError, type BindingKey } from '@palisade/domain';

/** There is no binding with this key. */
export class BindingNotFoundError extends DomainError {
  override readonly name = 'BindingNotFoundError';
  readonly code = 'BINDING_NOT_FOUND';

  constructor(readonly key: BindingKey) {
    super(`${key.boundSubject} has no binding to namespace "${key.namespace}" with relation "${key.relation}"`);
  }
}
