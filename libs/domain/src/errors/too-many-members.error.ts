import type { GroupId } from '../identifiers.js';
import { DomainError } from './domain.error.js';

/** The change would give a group more members than one group may hold; nothing was changed. */
export class TooManyMembersError extends DomainError {
  override readonly name = 'TooManyMembersError';
  readonly code = 'TOO_MANY_MEMBERS';

  constructor(
    readonly group: GroupId,
    readonly maxMembers: number,
  ) {
    super(`members: ${group} would have more than ${maxMembers} members`);
  }
}
