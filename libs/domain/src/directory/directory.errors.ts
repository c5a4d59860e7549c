import { DomainError } from '../domain.error.js';
import type { GroupId, ProviderId, ResourceId, ResourceType } from '../identifiers.js';

/** No resource of this type in this provider has the identifier or external id; another provider's never counts. */
export class ResourceNotFoundError extends DomainError {
  readonly code = 'RESOURCE_NOT_FOUND';

  constructor(
    readonly provider: ProviderId,
    readonly type: ResourceType,
    readonly reference: string,
  ) {
    super(`${type} ${JSON.stringify(reference.slice(0, 300))} does not exist in provider "${provider}"`);
  }
}

/** Another resource of the provider already has this value of an attribute that must be unique; nothing was stored. */
export class UniquenessError extends DomainError {
  readonly code = 'UNIQUENESS';

  constructor(
    readonly type: ResourceType,
    readonly attribute: 'id' | 'externalId' | 'userName' | 'displayName',
    readonly value: string,
  ) {
    super(`another ${type} of this provider already has ${attribute} ${JSON.stringify(value.slice(0, 300))}`);
  }
}

/** A value given as a member is not the identifier of an existing user or group of the same provider; nothing was changed. */
export class UnknownMemberError extends DomainError {
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

/** Adding this group as a member would make a group contain itself, directly or through others; nothing was changed. */
export class MembershipCycleError extends DomainError {
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

/** The change would nest groups deeper than they may be; nothing was changed. */
export class NestingTooDeepError extends DomainError {
  readonly code = 'NESTING_TOO_DEEP';

  constructor(
    readonly group: GroupId,
    readonly maxDepth: number,
  ) {
    super(`members: with the groups above and below it, ${group} would be nested more than ${maxDepth} levels deep`);
  }
}

/** The change would give a group more members than one group may hold; nothing was changed. */
export class TooManyMembersError extends DomainError {
  readonly code = 'TOO_MANY_MEMBERS';

  constructor(
    readonly group: GroupId,
    readonly maxMembers: number,
  ) {
    super(`members: ${group} would have more than ${maxMembers} members`);
  }
}
