import type { BindingKey, BindingSource } from '../bindings/binding.js';
import { DomainError } from './domain.error.js';

/** The same group already has this relation to the namespace from another source; the first binding stands. */
export class BindingConflictError extends DomainError {
  override readonly name = 'BindingConflictError';
  readonly code = 'BINDING_CONFLICT';

  constructor(
    readonly key: BindingKey,
    readonly existingSource: BindingSource,
  ) {
    super(
      `${key.boundSubject} already has ${key.relation} on ${key.namespace} with source "${existingSource}"; remove that binding first`,
    );
  }
}
