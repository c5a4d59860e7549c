import {
  DirectoryStore,
  type ChangeContext,
  type CreateOptions,
  type CreateResult,
  type CurrentResource,
  type GroupId,
  type Inclusion,
  type MemberPage,
  type ProviderId,
  type InactiveMembership,
  type ReconcileOptions,
  type ResourceDraft,
  type ResourceId,
  type ResourcePage,
  type ResourceQuery,
  type ResourceType,
  type Revision,
  type StoredResource,
  type StoredResourceOf,
  type StoredUser,
  type UpdateOptions,
  type UserCreation,
} from '@palisade/domain';
import type { Database } from '../connection/database.js';
import { createResource } from './create-resource.js';
import { createUsers } from './create-users.js';
import { deleteResource } from './delete-resource.js';
import { findRow } from './find-resource.js';
import { listMembers } from './list-members.js';
import { listResources } from './list-resources.js';
import { listInactiveMemberships, removeInactiveMemberships } from './reconcile-deprovisioned.js';
import { toResourceOf } from './resource-row.js';
import { updateResource } from './update-resource.js';

export class PostgresDirectoryStore extends DirectoryStore {
  constructor(private readonly database: Database) {
    super();
  }

  override create<T extends ResourceType>(
    provider: ProviderId,
    type: T,
    id: ResourceId,
    draft: ResourceDraft,
    change: ChangeContext,
    options?: CreateOptions,
  ): Promise<CreateResult<StoredResourceOf<T>>> {
    return createResource(this.database.of(provider), { provider, type, id }, draft, change, options);
  }

  override createUsers(
    provider: ProviderId,
    users: readonly UserCreation[],
    options?: Pick<CreateOptions, 'registeredProvider'>,
  ): Promise<readonly (StoredUser | undefined)[]> {
    return createUsers(this.database.of(provider), provider, users, options);
  }

  override async find<T extends ResourceType>(
    provider: ProviderId,
    type: T,
    reference: string,
    include?: Inclusion,
  ): Promise<StoredResourceOf<T> | undefined> {
    const row = await this.database
      .of(provider)
      .run((connection) => findRow(connection, provider, type, reference, include));
    return row && toResourceOf<T>(row);
  }

  override list(provider: ProviderId, query: ResourceQuery): Promise<ResourcePage<StoredResource>> {
    return this.database.of(provider).run((connection) => listResources(connection, provider, query));
  }

  override listMembers(provider: ProviderId, group: GroupId, limit: number, after?: ResourceId): Promise<MemberPage> {
    return this.database.of(provider).run((connection) => listMembers(connection, provider, group, limit, after));
  }

  override update<T extends ResourceType>(
    provider: ProviderId,
    type: T,
    reference: string,
    revise: (current: CurrentResource<T>) => Revision,
    change: ChangeContext,
    options?: UpdateOptions,
  ): Promise<StoredResourceOf<T>> {
    return this.database
      .of(provider)
      .transaction((transaction) => updateResource(transaction, provider, type, reference, revise, change, options));
  }

  override delete(
    provider: ProviderId,
    type: ResourceType,
    reference: string,
    change: ChangeContext,
    check?: (current: StoredResource) => void,
  ): Promise<void> {
    return this.database
      .of(provider)
      .transaction((transaction) => deleteResource(transaction, provider, type, reference, change, check));
  }

  override reconcileDeprovisioned(
    provider: ProviderId,
    { apply }: ReconcileOptions,
    change: ChangeContext,
  ): Promise<InactiveMembership[]> {
    const connections = this.database.of(provider);
    return apply
      ? connections.transaction((transaction) => removeInactiveMemberships(transaction, provider, change))
      : connections.run((connection) => listInactiveMemberships(connection, provider));
  }
}
