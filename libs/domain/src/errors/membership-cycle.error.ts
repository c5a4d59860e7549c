import type { GroupId, ResourceId } from '../identifiers.js';
import { DomainError } from './domain.error.js';

/** Adding this group as a member would make a group contain itself, directly or through others; nothing was changed. */
export class MembershipCycleError extends DomainError {
  override readonly name = 'MembershipCycleError';
  readonly code = 'MEMBERSHIP_CYCLE';

  constructor(
    readonly group: GroupId,
    readonly member: ResourceId,
  ) {
    super(
      member === group
        ? `members: ${group} cannot contain itself`
        : `members: ${member} already contains ${group}, a group cannot contain itself`,
    );
  }
}
