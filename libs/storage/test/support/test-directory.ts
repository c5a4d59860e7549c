import {
  formatResourceId,
  type CreateOptions,
  type GroupId,
  type Inclusion,
  type JsonObject,
  type MembershipChange,
  type ProviderId,
  type ResourceId,
  type ResourceType,
  type Store,
  type StoredGroup,
  type StoredResourceOf,
  type StoredUser,
  type UpdateOptions,
  type UserId,
} from '@palisade/domain';
import { draftOf } from './drafts.js';
import { queryFor, type QueryOverrides } from './queries.js';
import { changeAt, freshProvider } from './store-harness.js';

/** A provider of its own in a store, with the operations that tests repeat. Local ids double as external ids. */
export class TestDirectory {
  constructor(
    readonly store: Store,
    readonly provider: ProviderId = freshProvider(),
  ) {}

  userId(localId: string): UserId {
    return formatResourceId('User', this.provider, localId);
  }

  groupId(localId: string): GroupId {
    return formatResourceId('Group', this.provider, localId);
  }

  /** A user with this external id and, unless told otherwise, user name. */
  async createUser(localId: string, body: JsonObject = {}): Promise<StoredUser> {
    return this.create('User', localId, { externalId: localId, userName: localId, ...body });
  }

  /** Users `u1` to `u5`; their ids in this order. */
  async createFiveUsers(): Promise<[UserId, UserId, UserId, UserId, UserId]> {
    const users = await Promise.all(['u1', 'u2', 'u3', 'u4', 'u5'].map((name) => this.createUser(name)));
    return users.map(({ id }) => id) as [UserId, UserId, UserId, UserId, UserId];
  }

  /** A group with this external id and display name. */
  async createGroup(
    localId: string,
    members: readonly ResourceId[] = [],
    options: CreateOptions = {},
  ): Promise<StoredGroup> {
    return this.create('Group', localId, { externalId: localId, displayName: localId }, { ...options, members });
  }

  /** A resource whose identifier ends in `localId`. */
  async create<T extends ResourceType>(
    type: T,
    localId: string,
    body: JsonObject,
    options?: CreateOptions,
  ): Promise<StoredResourceOf<T>> {
    const id = formatResourceId(type, this.provider, localId);
    const draft = draftOf(type, body);
    const { resource } = await this.store.directory.create(this.provider, type, id, draft, changeAt(0), options);
    return resource;
  }

  async find<T extends ResourceType>(
    type: T,
    reference: string,
    include?: Inclusion,
  ): Promise<StoredResourceOf<T> | undefined> {
    return this.store.directory.find(this.provider, type, reference, include);
  }

  /** Replaces all that is stored of a resource. */
  async revise<T extends ResourceType>(
    type: T,
    reference: string,
    body: JsonObject,
    second = 1,
    options?: UpdateOptions,
  ): Promise<StoredResourceOf<T>> {
    const revision = { draft: draftOf(type, body) };
    return this.store.directory.update(this.provider, type, reference, () => revision, changeAt(second), options);
  }

  async changeMembers(
    reference: string,
    members: readonly MembershipChange[],
    second = 1,
    options?: UpdateOptions,
  ): Promise<StoredGroup> {
    return this.store.directory.update(
      this.provider,
      'Group',
      reference,
      () => ({ members }),
      changeAt(second),
      options,
    );
  }

  async delete(type: ResourceType, reference: string, second = 1): Promise<void> {
    await this.store.directory.delete(this.provider, type, reference, changeAt(second));
  }

  /** Ids of a group's members, in their order. */
  async members(reference: string): Promise<ResourceId[]> {
    const group = await this.find('Group', reference, { members: true });
    return (group?.members ?? []).map(({ id }) => id);
  }

  /** Last parts of the identifiers of what a query selects. */
  async list(query: QueryOverrides): Promise<string[]> {
    const { items } = await this.store.directory.list(this.provider, queryFor(query));
    return items.map(({ id }) => localIdOf(id));
  }

  /** External ids of the users that a filter selects. */
  async usersWhere(filter: string): Promise<string[]> {
    return this.list({ filter });
  }

  async groupsWhere(filter: string): Promise<string[]> {
    return this.list({ type: 'Group', filter });
  }
}

/** What follows the third colon of an identifier. */
export function localIdOf(id: string): string {
  return id.split(':').slice(3).join(':');
}
