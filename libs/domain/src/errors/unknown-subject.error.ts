import { DomainError } from './domain.error.js';

/** The subject of a binding is not an existing group; nothing was bound. */
export class UnknownSubjectError extends DomainError {
  override readonly name = 'UnknownSubjectError';
  readonly code = 'UNKNOWN_SUBJECT';

  constructor(readonly subject: string) {
    super(
      `bound_subject: group ${JSON.stringify(subject.slice(0, 300))} does not exist; set "pending": true to bind it before it is pushed`,
    );
  }
}
