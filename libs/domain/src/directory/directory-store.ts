import type { ChangeContext } from '../log/log-record.js';
import {
  parseResourceId,
  type GroupId,
  type ProviderId,
  type ResourceId,
  type ResourceType,
  type UserId,
} from '../identifiers.js';
import type { JsonObject } from '../values/json.js';
import type { Inclusion, ResourcePage, ResourceQuery } from './query.js';
import type { Member, ResourceDraft, Revision, StoredResource, StoredResourceOf, StoredUser } from './resource.js';

/** One group may hold this many members. */
export const MAX_GROUP_MEMBERS = 200_000;

/** How many levels deep groups may be nested, the outermost and the innermost included. */
export const MAX_GROUP_DEPTH = 32;

/** The users on one page come with this many groups together; further users begin another page. */
export const MAX_GROUPS_PER_PAGE = 10_000;

/** A page ends before the attributes of its resources, as JSON, exceed so many bytes. */
export const MAX_PAGE_BYTES = 1024 * 1024;

/** What `Inclusion.members` calls few. */
export const MAX_FEW_MEMBERS = 1000;

export interface MemberPage {
  readonly items: readonly Member[];
  /** Where the next page continues; absent on the last one. */
  readonly next?: ResourceId;
}

export interface CreateOptions {
  /** Members of a group, in order. */
  readonly members?: readonly ResourceId[];
  readonly unknownMembers?: 'reject' | 'accept';
  /** Reject a second group with the same folded displayName (409 uniqueness). */
  readonly uniqueDisplayName?: boolean;
  /**
   * Create nothing in a provider that the `ProviderStore` does not have, not even while it is being removed: what is created
   * too late would belong to the next provider of that name. Default false, for use without registered providers.
   */
  readonly registeredProvider?: boolean;
}

export type UpdateOptions = Omit<CreateOptions, 'members' | 'registeredProvider'> & { readonly include?: Inclusion };

/** A user to be created together with others. */
export interface UserCreation {
  readonly id: ResourceId;
  readonly draft: ResourceDraft;
  readonly change: ChangeContext;
}

export interface CreateResult<T> {
  /** False when the resource existed already: it is returned as it is, nothing was changed. */
  readonly created: boolean;
  readonly resource: T;
}

/** What a revision is decided on: the stored resource with its search document, without groups and members. */
export type CurrentResource<T extends ResourceType> = StoredResourceOf<T> & { readonly search: JsonObject };

export interface ReconcileOptions {
  /** Remove the reported memberships too, in one transaction, each with its record in the log. */
  readonly apply: boolean;
}

/** A direct membership of an inactive user. */
export interface InactiveMembership {
  readonly groupId: GroupId;
  /** What the group is displayed as. */
  readonly groupDisplay: string;
  readonly userId: UserId;
  readonly externalId?: string;
  readonly userName: string;
  /** What the user is displayed as: their displayName, or else their userName. */
  readonly userDisplay: string;
}

/** `<group_display_name>:<user_external_id>`; a user without an external id is named by the last part of their identifier. */
export function membershipLine({ groupDisplay, userId, externalId }: InactiveMembership): string {
  return `${groupDisplay}:${externalId ?? parseResourceId(userId)?.localId ?? ''}`;
}

/**
 * Users and groups, keyed by provider first. Every change is one transaction that also writes its record in the log;
 * of parallel changes to one resource none is lost. A reference is a full identifier or an external id; it is
 * looked up by identifier first, then by current `externalId` (see `candidateIds`).
 *
 * Every method throws {@link StoreUnavailableError} while the store cannot be reached.
 */
export abstract class DirectoryStore {
  /**
   * Stores a resource under `id`. A resource of this type that has the draft's `externalId` counts as the same one:
   * it is returned unchanged with `created: false`.
   *
   * @throws {ProviderNotFoundError} when the provider must be registered and is not
   * @throws {UniquenessError} when `id` or the folded `userName` (or `displayName`, if asked for) belongs to another resource
   * @throws {UnknownMemberError} {@link MembershipCycleError} {@link NestingTooDeepError} {@link TooManyMembersError} as for
   * `update`
   */
  abstract create<T extends ResourceType>(
    provider: ProviderId,
    type: T,
    id: ResourceId,
    draft: ResourceDraft,
    change: ChangeContext,
    options?: CreateOptions,
  ): Promise<CreateResult<StoredResourceOf<T>>>;

  /**
   * Stores users in one transaction and in this order, and leaves out those that `create` would reject; call `create` to learn
   * why. When two users exclude each other, the first is stored.
   *
   * @returns for each the stored user, or undefined if it was left out. All are left out when the transaction fails, whether
   * because of one user or because the provider has too much under way or is not registered.
   */
  abstract createUsers(
    provider: ProviderId,
    users: readonly UserCreation[],
    options?: Pick<CreateOptions, 'registeredProvider'>,
  ): Promise<readonly (StoredUser | undefined)[]>;

  abstract find<T extends ResourceType>(
    provider: ProviderId,
    type: T,
    reference: string,
    include?: Inclusion,
  ): Promise<StoredResourceOf<T> | undefined>;

  /**
   * One page of what the query selects. It may hold fewer resources than asked for, but always at least one: when their
   * attributes would exceed `MAX_PAGE_BYTES` together, or when members are included and would exceed `MAX_GROUP_MEMBERS`, or
   * groups and would exceed `MAX_GROUPS_PER_PAGE`. The next page continues after the last one that it holds.
   */
  abstract list(provider: ProviderId, query: ResourceQuery): Promise<ResourcePage<StoredResource>>;

  /**
   * Up to `limit` members of a group, by id, after the one given. Pages are not of one moment: a member that is added or
   * removed meanwhile may be on them or not. Empty when there is no such group.
   */
  abstract listMembers(provider: ProviderId, group: GroupId, limit: number, after?: ResourceId): Promise<MemberPage>;

  /**
   * Changes a resource atomically. `revise` sees the current state (without groups and members), decides
   * synchronously, and may throw to reject the change; it may be called again when the transaction had to be repeated.
   *
   * @throws {ResourceNotFoundError}
   * @throws {UniquenessError} when externalId, folded userName (or displayName, if asked for) belongs to another resource
   * @throws {UnknownMemberError} when an added id has another provider, or does not exist and `unknownMembers` is `reject`
   * @throws {MembershipCycleError} when a group would contain itself
   * @throws {NestingTooDeepError} when groups would be nested more than `MAX_GROUP_DEPTH` levels deep
   * @throws {TooManyMembersError} beyond `MAX_GROUP_MEMBERS`
   */
  abstract update<T extends ResourceType>(
    provider: ProviderId,
    type: T,
    reference: string,
    revise: (current: CurrentResource<T>) => Revision,
    change: ChangeContext,
    options?: UpdateOptions,
  ): Promise<StoredResourceOf<T>>;

  /**
   * Removes a resource and its memberships in both directions; bindings stay. Groups that lose a member get a new version.
   *
   * @param check sees the current state and may throw to reject the deletion
   * @throws {ResourceNotFoundError}
   */
  abstract delete(
    provider: ProviderId,
    type: ResourceType,
    reference: string,
    change: ChangeContext,
    check?: (current: StoredResource) => void,
  ): Promise<void>;

  /** Every direct membership of an inactive user, in order of {@link membershipLine} by code point, then of the group's id. */
  abstract reconcileDeprovisioned(
    provider: ProviderId,
    options: ReconcileOptions,
    change: ChangeContext,
  ): Promise<InactiveMembership[]>;

  /**
   * Marks a user inactive; succeeds as well when they are. Memberships and bindings stay.
   *
   * @throws {ResourceNotFoundError}
   */
  deactivateUser(provider: ProviderId, reference: string, change: ChangeContext): Promise<StoredUser> {
    return this.update(provider, 'User', reference, deactivated, change);
  }
}

function deactivated({ externalId, attributes, search }: CurrentResource<'User'>): Revision {
  if (attributes.active === false) {
    return {};
  }
  return { draft: { externalId, attributes: { ...attributes, active: false }, search: { ...search, active: false } } };
}
