import {
  type AddBindingOptions,
  type AddBindingResult,
  BindingConflictError,
  type BindingKey,
  type BindingQuery,
  BindingStore,
  chainUpTo,
  type ChangeContext,
  type Grant,
  type GroupId,
  includesRelation,
  type ListedBinding,
  type NamespaceBinding,
  type NamespaceId,
  type NamespaceUser,
  type NamespaceUserQuery,
  parseResourceId,
  type ProviderId,
  type Relation,
  RELATIONS,
  UnknownSubjectError,
  type UserId,
} from '@palisade/domain';
import { compareValues } from '@palisade/scim';
import { bindingChanged } from '../change-records.js';
import { displayOf, isInactive, type ResourceRecord, stringOf } from './directory/resource-table.js';
import type { MemoryState, StoredBinding } from './memory-state.js';

export class MemoryBindingStore extends BindingStore {
  constructor(private readonly state: () => MemoryState) {
    super();
  }

  override async add(
    binding: Omit<NamespaceBinding, 'createdAt'>,
    change: ChangeContext,
    options: AddBindingOptions = { pending: false },
  ): Promise<AddBindingResult> {
    const { namespace, boundSubject, relation, source, approvedBy } = binding;
    const subject = parseResourceId(boundSubject);
    if (subject?.type !== 'Group') {
      throw new UnknownSubjectError(boundSubject);
    }
    const existing = this.state().bindings.get(slotOf(binding));
    if (existing && !existing.isSuspended) {
      if (existing.source !== source) {
        throw new BindingConflictError({ namespace, boundSubject, relation }, existing.source);
      }
      return { added: false, binding: this.present(existing) };
    }
    if (!options.pending && !this.findGroup(boundSubject)) {
      throw new UnknownSubjectError(boundSubject);
    }
    const added = {
      namespace,
      boundSubject,
      relation,
      source,
      approvedBy,
      createdAt: new Date(change.at),
      isSuspended: false,
    };
    this.state().bindings.set(slotOf(added), added);
    this.state().log.append([bindingChanged(change, 'add', subject.providerId, added)]);
    return { added: true, binding: this.present(added) };
  }

  override async remove(key: BindingKey, change: ChangeContext): Promise<boolean> {
    const provider = parseResourceId(key.boundSubject)?.providerId;
    if (!provider || !this.state().bindings.delete(slotOf(key))) {
      return false;
    }
    this.state().log.append([bindingChanged(change, 'remove', provider, key)]);
    return true;
  }

  override async list(query: BindingQuery): Promise<ListedBinding[]> {
    return [...this.state().bindings.values()]
      .filter((binding) => selectsBinding(query, binding))
      .sort(compareBindings)
      .map((binding) => this.present(binding))
      .filter(({ state }) => query.state === undefined || state === query.state)
      .slice(0, query.limit);
  }

  override async grantsOf(provider: ProviderId, reference: string, namespace?: NamespaceId): Promise<Grant[]> {
    return this.grants(provider, reference, (binding) => !binding.isSuspended && isIn(binding, namespace));
  }

  override async suspendedGrantsOf(provider: ProviderId, reference: string, namespace: NamespaceId): Promise<Grant[]> {
    return this.grants(provider, reference, (binding) => binding.isSuspended && isIn(binding, namespace));
  }

  private grants(provider: ProviderId, reference: string, selects: (binding: StoredBinding) => boolean): Grant[] {
    const directory = this.state().directories.get(provider);
    const user = directory?.resolve('User', reference);
    if (!directory || !user || isInactive(user)) {
      return [];
    }
    const groups = directory.memberships.groupsAbove(user.id, compareValues);
    return [...this.state().bindings.values()]
      .filter((binding) => groups.has(binding.boundSubject) && selects(binding))
      .sort(compareBindings)
      .map((binding) => ({ groups: chainUpTo(binding.boundSubject, groups), binding: copy(binding) }));
  }

  override async namespacesAbove(
    provider: ProviderId,
    groups: readonly GroupId[],
    limit: number,
  ): Promise<NamespaceId[]> {
    const memberships = this.state().directories.get(provider)?.memberships;
    const own = groups.filter((group) => parseResourceId(group)?.providerId === provider);
    const above = new Set([...own, ...own.flatMap((group) => [...(memberships?.groupsAbove(group).keys() ?? [])])]);
    const bindings = [...this.state().bindings.values()].filter(({ boundSubject }) => above.has(boundSubject));
    const namespaces = new Set(bindings.filter(({ isSuspended }) => !isSuspended).map(({ namespace }) => namespace));
    return [...namespaces].sort(compareValues).slice(0, limit);
  }

  override async usersOf({ namespace, relation, after, limit }: NamespaceUserQuery): Promise<NamespaceUser[]> {
    const bindings = [...this.state().bindings.values()]
      .filter((binding) => !binding.isSuspended && binding.namespace === namespace)
      .filter((binding) => includesRelation(binding.relation, relation))
      .sort((a, b) => RELATIONS.indexOf(b.relation) - RELATIONS.indexOf(a.relation));
    const strongest = new Map<ResourceRecord, Relation>();
    for (const binding of bindings) {
      for (const user of this.activeUsersIn(binding.boundSubject)) {
        if (!strongest.has(user)) {
          strongest.set(user, binding.relation);
        }
      }
    }
    return Array.from(strongest, ([user, held]) => asNamespaceUser(user, held))
      .filter(({ id }) => after === undefined || compareValues(id, after) > 0)
      .sort((a, b) => compareValues(a.id, b.id))
      .slice(0, limit);
  }

  private findGroup(id: GroupId): ResourceRecord | undefined {
    const provider = parseResourceId(id)?.providerId;
    return provider && this.state().directories.get(provider)?.findById(id);
  }

  private activeUsersIn(group: GroupId): ResourceRecord[] {
    const provider = parseResourceId(group)?.providerId;
    const directory = provider && this.state().directories.get(provider);
    if (!directory) {
      return [];
    }
    return Array.from(directory.memberships.membersBelow(group), (id) => directory.findById(id)).filter(
      (member) => member?.type === 'User' && !isInactive(member),
    ) as ResourceRecord[];
  }

  private present(binding: StoredBinding): ListedBinding {
    if (binding.isSuspended) {
      return { ...copy(binding), state: 'suspended' };
    }
    const group = this.findGroup(binding.boundSubject);
    const display = group && displayOf(group);
    return { ...copy(binding), state: group ? 'active' : 'dangling', ...(display !== undefined && { display }) };
  }
}

function isIn(binding: NamespaceBinding, namespace: NamespaceId | undefined): boolean {
  return namespace === undefined || binding.namespace === namespace;
}

function copy({ namespace, boundSubject, relation, source, approvedBy, createdAt }: StoredBinding): NamespaceBinding {
  return { namespace, boundSubject, relation, source, approvedBy, createdAt: new Date(createdAt) };
}

function asNamespaceUser({ id, draft }: ResourceRecord, relation: Relation): NamespaceUser {
  return { id: id as UserId, userName: stringOf(draft.attributes, 'userName') ?? '', relation };
}

function slotOf({ namespace, relation, boundSubject }: BindingKey): string {
  return `${namespace}#${relation}@${boundSubject}`;
}

/** By namespace, bound group and relation, by code point. */
function compareBindings(a: BindingKey, b: BindingKey): number {
  return (
    compareValues(a.namespace, b.namespace) ||
    compareValues(a.boundSubject, b.boundSubject) ||
    compareValues(a.relation, b.relation)
  );
}

function selectsBinding(query: BindingQuery, binding: NamespaceBinding): boolean {
  const { namespace, namespaces, provider, boundSubject, after } = query;
  return (
    (namespace === undefined || binding.namespace === namespace) &&
    (namespaces === undefined || namespaces.includes(binding.namespace)) &&
    (provider === undefined || parseResourceId(binding.boundSubject)?.providerId === provider) &&
    (boundSubject === undefined || binding.boundSubject === boundSubject) &&
    (after === undefined || compareBindings(binding, after) > 0)
  );
}
