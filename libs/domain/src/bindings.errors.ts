import { DomainError } from './domain.error.js';
import type { BindingKey, BindingSource } from './bindings.js';

/** The same group already has this relation to the namespace from another source; the first binding stands. */
export class BindingConflictError extends DomainError {
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

/** The subject of a binding is not an existing group; nothing was bound. */
export class UnknownSubjectError extends DomainError {
  readonly code = 'UNKNOWN_SUBJECT';

  constructor(readonly subject: string) {
    super(
      `bound_subject: group ${JSON.stringify(subject.slice(0, 300))} does not exist; set "pending": true to bind it before it is pushed`,
    );
  }
}
