import type { GroupId } from '../identifiers.js';
import { DomainError } from './domain.error.js';

/** A value given as a member is not the identifier of an existing user or group of the same provider; nothing was changed. */
export class UnknownMemberError extends DomainError {
  override readonly name = 'UnknownMemberError';
  readonly code = 'UNKNOWN_MEMBER';

  constructor(
    readonly group: GroupId,
    readonly member: string,
  ) {
    super(
      `members: expected the id of an existing user or group of this provider, found ${JSON.stringify(member.slice(0, 300))}`,
    );
  }
}
