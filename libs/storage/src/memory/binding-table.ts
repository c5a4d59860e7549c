import {
  type BindingKey,
  type BindingQuery,
  type GroupId,
  type NamespaceBinding,
  parseResourceId,
  type ProviderId,
} from '@palisade/domain';
import { compareValues } from '@palisade/scim';

export interface StoredBinding extends NamespaceBinding {
  readonly isSuspended: boolean;
}

/** Bindings of one group, by namespace and relation. */
type GroupBindings = Map<string, StoredBinding>;

/** Namespace bindings by the provider of their group, then by group. A group without bindings has no entry. */
export class BindingTable {
  private readonly byProvider = new Map<ProviderId, Map<GroupId, GroupBindings>>();

  get providerCount(): number {
    return this.byProvider.size;
  }

  find(key: BindingKey): StoredBinding | undefined {
    return this.groupBindings(key.boundSubject)?.get(slotOf(key));
  }

  ofGroup(group: GroupId): StoredBinding[] {
    return [...(this.groupBindings(group)?.values() ?? [])];
  }

  /** In no particular order. */
  all(): StoredBinding[] {
    return Array.from(this.byProvider.values(), (groups) =>
      Array.from(groups.values(), (bindings) => Array.from(bindings.values())),
    ).flat(2);
  }

  /** @param provider the one that the bound group belongs to */
  set(provider: ProviderId, binding: StoredBinding): void {
    const groups = this.byProvider.get(provider) ?? new Map<GroupId, GroupBindings>();
    const bindings = groups.get(binding.boundSubject) ?? new Map<string, StoredBinding>();
    this.byProvider.set(provider, groups.set(binding.boundSubject, bindings.set(slotOf(binding), binding)));
  }

  /** False when there was none. */
  delete(provider: ProviderId, key: BindingKey): boolean {
    const groups = this.byProvider.get(provider);
    const bindings = groups?.get(key.boundSubject);
    const isDeleted = bindings?.delete(slotOf(key)) ?? false;
    if (bindings?.size === 0) {
      groups?.delete(key.boundSubject);
    }
    if (groups?.size === 0) {
      this.byProvider.delete(provider);
    }
    return isDeleted;
  }

  /** Suspends every binding of the provider's groups. */
  suspend(provider: ProviderId): void {
    for (const bindings of this.byProvider.get(provider)?.values() ?? []) {
      for (const [slot, binding] of bindings) {
        bindings.set(slot, { ...binding, isSuspended: true });
      }
    }
  }

  private groupBindings(group: GroupId): GroupBindings | undefined {
    const provider = parseResourceId(group)?.providerId;
    return provider && this.byProvider.get(provider)?.get(group);
  }
}

function slotOf({ namespace, relation }: BindingKey): string {
  return `${namespace}#${relation}`;
}

/** By namespace, bound group and relation, by code point. */
export function compareBindings(a: BindingKey, b: BindingKey): number {
  return (
    compareValues(a.namespace, b.namespace) ||
    compareValues(a.boundSubject, b.boundSubject) ||
    compareValues(a.relation, b.relation)
  );
}

export function selectsBinding(query: BindingQuery, binding: NamespaceBinding): boolean {
  const { namespace, namespaces, provider, boundSubject, after } = query;
  return (
    (namespace === undefined || binding.namespace === namespace) &&
    (namespaces === undefined || namespaces.includes(binding.namespace)) &&
    (provider === undefined || parseResourceId(binding.boundSubject)?.providerId === provider) &&
    (boundSubject === undefined || binding.boundSubject === boundSubject) &&
    (after === undefined || compareBindings(binding, after) > 0)
  );
}
