import type { GroupId, ProviderId, ResourceId, ResourceType, UserId } from '../identifiers.js';
import type { JsonObject } from '../values/json.js';
import type { Filter } from './query.js';

/** A group that a user belongs to. `direct` is false when only through a nested group. */
export interface GroupMembership {
  readonly id: GroupId;
  readonly display: string;
  readonly direct: boolean;
}

/** A member of a group. Without `display` it names an object that has not been pushed yet. */
export interface Member {
  readonly id: ResourceId;
  readonly display?: string;
}

interface StoredResourceBase {
  readonly provider: ProviderId;
  /** Current `externalId` attribute; unique per provider and type. */
  readonly externalId?: string;
  /** 1 at creation, one more with each change of the resource's own attributes or members. */
  readonly version: number;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
  /**
   * What the client set, as validated by libs/scim: canonical names, schema order, values verbatim; extensions under
   * their URN. Without `schemas`, `id`, `externalId`, `meta`, `groups`, `members` and `password`.
   */
  readonly attributes: JsonObject;
}

export interface StoredUser extends StoredResourceBase {
  readonly type: 'User';
  readonly id: UserId;
  /** Direct and inherited, by id; only when asked for. */
  readonly groups?: readonly GroupMembership[];
}

export interface StoredGroup extends StoredResourceBase {
  readonly type: 'Group';
  readonly id: GroupId;
  readonly memberCount: number;
  /** In the order in which they were added; only when asked for. */
  readonly members?: readonly Member[];
}

export type StoredResource = StoredUser | StoredGroup;
export type StoredResourceOf<T extends ResourceType> = Extract<StoredResource, { type: T }>;

/** What is stored of a resource, apart from its identity and its members. */
export interface ResourceDraft {
  readonly externalId?: string;
  readonly attributes: JsonObject;
  /**
   * The same attributes made comparable (built by libs/scim): strings that are not caseExact folded, dateTimes as
   * UTC with milliseconds. Filters, sorting and uniqueness look only at this. `userName` and `displayName` are keys here.
   */
  readonly search: JsonObject;
}

/** One step of a change of members; steps apply in order. Adding a present member and removing an absent one change nothing. */
export type MembershipChange =
  | { readonly kind: 'add'; readonly ids: readonly ResourceId[] }
  | { readonly kind: 'remove'; readonly ids: readonly ResourceId[] }
  /** The filter's references start at a member: `value` (its id), `type` (`user` or `group`, folded) and `display` (folded). */
  | { readonly kind: 'removeMatching'; readonly filter: Filter }
  | { readonly kind: 'replace'; readonly ids: readonly ResourceId[] };

/** What an update does; an absent part stays as it is. A revision that changes nothing leaves version and modifiedAt alone. */
export interface Revision {
  readonly draft?: ResourceDraft;
  readonly members?: readonly MembershipChange[];
}
