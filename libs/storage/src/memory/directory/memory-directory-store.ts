import { isDeepStrictEqual } from 'node:util';
import {
  type ChangeContext,
  type CreateOptions,
  type CreateResult,
  type CurrentResource,
  DirectoryStore,
  type GroupId,
  type InactiveMembership,
  type Inclusion,
  type MemberPage,
  type ProviderId,
  ProviderNotFoundError,
  type ReconcileOptions,
  type ResourceDraft,
  type ResourceId,
  ResourceNotFoundError,
  type ResourcePage,
  type ResourceQuery,
  type ResourceType,
  type Revision,
  type StoredResource,
  type StoredResourceOf,
  type StoredUser,
  UniquenessError,
  type UpdateOptions,
  type UserCreation,
  type UserId,
} from '@palisade/domain';
import { membershipRemoved, resourceChanged } from '../../change-records.js';
import { sortMemberships } from '../../inactive-memberships.js';
import { frozenCopy } from '../../json.js';
import type { MemoryState } from '../memory-state.js';
import { listResources } from './list-resources.js';
import { MembershipPlan } from './membership-plan.js';
import { listMembers, presentAs, presentCurrent, presentRecord } from './present-record.js';
import { ProviderDirectory } from './provider-directory.js';
import { displayOf, isInactive, requireUnique, type ResourceRecord } from './resource-table.js';

export class MemoryDirectoryStore extends DirectoryStore {
  constructor(private readonly state: () => MemoryState) {
    super();
  }

  override async create<T extends ResourceType>(
    provider: ProviderId,
    type: T,
    id: ResourceId,
    draft: ResourceDraft,
    change: ChangeContext,
    options: CreateOptions = {},
  ): Promise<CreateResult<StoredResourceOf<T>>> {
    return this.createNow(provider, type, { id, draft, change }, options);
  }

  override async createUsers(
    provider: ProviderId,
    users: readonly UserCreation[],
    options: Pick<CreateOptions, 'registeredProvider'> = {},
  ): Promise<readonly (StoredUser | undefined)[]> {
    return users.map((user) => this.createUnlessRejected(provider, user, options));
  }

  override async find<T extends ResourceType>(
    provider: ProviderId,
    type: T,
    reference: string,
    include?: Inclusion,
  ): Promise<StoredResourceOf<T> | undefined> {
    const directory = this.directoryOf(provider);
    const record = directory.resolve(type, reference);
    return record && presentAs<T>(directory, record, include);
  }

  override async list(provider: ProviderId, query: ResourceQuery): Promise<ResourcePage<StoredResource>> {
    return listResources(this.directoryOf(provider), query);
  }

  override async listMembers(
    provider: ProviderId,
    group: GroupId,
    limit: number,
    after?: ResourceId,
  ): Promise<MemberPage> {
    return listMembers(this.directoryOf(provider), group, limit, after);
  }

  override async update<T extends ResourceType>(
    provider: ProviderId,
    type: T,
    reference: string,
    revise: (current: CurrentResource<T>) => Revision,
    change: ChangeContext,
    options: UpdateOptions = {},
  ): Promise<StoredResourceOf<T>> {
    const directory = this.directoryOf(provider);
    const record = requireRecord(directory, type, reference);
    const revision = revise(presentCurrent<T>(directory, record));
    const draft = revision.draft && frozenCopy(revision.draft);
    const isRevised = draft !== undefined && !isSameDraft(draft, record.draft);
    if (isRevised) {
      requireUnique(directory.table(type), { type, id: record.id, draft, ...options, replaced: record });
    }
    const members = new MembershipPlan(directory, record.id as GroupId);
    revision.members?.forEach((step) => members.apply(step));
    members.validate(options.unknownMembers);

    if (isRevised) {
      directory.table(type).replaceDraft(record, draft);
    }
    members.commit();
    if (isRevised || !members.changesNothing) {
      touch(record, change);
      this.state().log.append([resourceChanged(change, 'update', provider, record.id, members.counts)]);
    }
    return presentAs<T>(directory, record, options.include);
  }

  override async delete(
    provider: ProviderId,
    type: ResourceType,
    reference: string,
    change: ChangeContext,
    check?: (current: StoredResource) => void,
  ): Promise<void> {
    const directory = this.directoryOf(provider);
    const record = requireRecord(directory, type, reference);
    check?.(presentRecord(directory, record));

    touchGroups(directory, directory.memberships.groupsOf(record.id), change);
    directory.remove(record);
    if (directory.isEmpty) {
      this.state().directories.delete(provider);
    }
    this.state().log.append([resourceChanged(change, 'delete', provider, record.id)]);
  }

  override async reconcileDeprovisioned(
    provider: ProviderId,
    { apply }: ReconcileOptions,
    change: ChangeContext,
  ): Promise<InactiveMembership[]> {
    const directory = this.directoryOf(provider);
    const affected = inactiveMemberships(directory);
    if (apply) {
      for (const { groupId, userId } of affected) {
        directory.memberships.remove(groupId, userId);
        this.state().log.append([membershipRemoved(change, provider, groupId, userId)]);
      }
      touchGroups(directory, new Set(affected.map(({ groupId }) => groupId)), change);
    }
    return affected;
  }

  private createUnlessRejected(
    provider: ProviderId,
    user: UserCreation,
    options: CreateOptions,
  ): StoredUser | undefined {
    try {
      const { created, resource } = this.createNow(provider, 'User', user, options);
      return created ? resource : undefined;
    } catch (error) {
      if (error instanceof UniquenessError || error instanceof ProviderNotFoundError) {
        return undefined;
      }
      throw error;
    }
  }

  private createNow<T extends ResourceType>(
    provider: ProviderId,
    type: T,
    { id, draft, change }: UserCreation,
    options: CreateOptions,
  ): CreateResult<StoredResourceOf<T>> {
    if (options.registeredProvider && !this.state().providers.has(provider)) {
      throw new ProviderNotFoundError(provider);
    }
    const directory = this.directoryOf(provider);
    const table = directory.table(type);
    const existing = draft.externalId === undefined ? undefined : table.findByExternalId(draft.externalId);
    if (existing) {
      return { created: false, resource: presentAs<T>(directory, existing) };
    }
    requireUnique(table, { type, id, draft, uniqueDisplayName: options.uniqueDisplayName });
    const members = new MembershipPlan(directory, id as GroupId);
    members.apply({ kind: 'add', ids: options.members ?? [] });
    members.validate(options.unknownMembers);

    const atMs = change.at.getTime();
    const record: ResourceRecord = {
      provider,
      type,
      id,
      sequence: this.state().nextSequence(),
      createdAtMs: atMs,
      modifiedAtMs: atMs,
      version: 1,
      draft: frozenCopy(draft),
    };
    this.state().directories.set(provider, directory);
    table.insert(record);
    members.commit();
    this.state().log.append([resourceChanged(change, 'create', provider, id)]);
    return { created: true, resource: presentAs<T>(directory, record) };
  }

  /** An empty one, which nothing refers to yet, when the provider has no objects. */
  private directoryOf(provider: ProviderId): ProviderDirectory {
    return this.state().directories.get(provider) ?? new ProviderDirectory(provider);
  }
}

function requireRecord(directory: ProviderDirectory, type: ResourceType, reference: string): ResourceRecord {
  const record = directory.resolve(type, reference);
  if (!record) {
    throw new ResourceNotFoundError(directory.provider, type, reference);
  }
  return record;
}

function isSameDraft(a: ResourceDraft, b: ResourceDraft): boolean {
  return a.externalId === b.externalId && isDeepStrictEqual(a.attributes, b.attributes);
}

function touch(record: ResourceRecord, { at }: ChangeContext): void {
  record.version += 1;
  record.modifiedAtMs = at.getTime();
}

function touchGroups(directory: ProviderDirectory, groups: ReadonlySet<GroupId>, change: ChangeContext): void {
  for (const group of groups) {
    const record = directory.findById(group);
    if (record) {
      touch(record, change);
    }
  }
}

function inactiveMemberships(directory: ProviderDirectory): InactiveMembership[] {
  const found = directory
    .table('User')
    .records.filter((user) => isInactive(user))
    .flatMap((user) =>
      Array.from(directory.memberships.groupsOf(user.id), (id) => directory.findById(id))
        .filter((group) => group !== undefined)
        .map((group) => ({
          groupId: group.id as GroupId,
          groupDisplay: displayOf(group) ?? '',
          userId: user.id as UserId,
          ...(user.draft.externalId !== undefined && { externalId: user.draft.externalId }),
          userName: String(user.draft.attributes.userName),
          userDisplay: displayOf(user) ?? '',
        })),
    );
  return sortMemberships(found);
}
