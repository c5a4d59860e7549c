import {
  parseResourceId,
  type AccessChange,
  type BindingStore,
  type GroupId,
  type NamespaceId,
  type ProviderId,
  type SealedRecord,
} from '@palisade/domain';

/** Users or namespaces that one event names; beyond that it names their providers. */
const MAX_NAMED = 1000;

export const NOTHING_CHANGED: AccessChange = { users: [], namespaces: [], providers: [] };
export const EVERYTHING_CHANGED: AccessChange = { ...NOTHING_CHANGED, everything: true };

/**
 * Who may have lost access by what the records tell. What can only give access is left out: proxies do not remember a
 * denial for long.
 *
 * @param bindings the store as it is after the changes
 * @throws {StoreUnavailableError}
 */
export async function accessChangeOf(
  records: readonly SealedRecord[],
  bindings: Pick<BindingStore, 'namespacesAbove'>,
): Promise<AccessChange> {
  const users = new Set<string>();
  const namespaces = new Set<NamespaceId>();
  const providers = new Set<string>();
  const groups = new Map<ProviderId, Set<GroupId>>();
  for (const { action, resource, provider, namespace, result, detail } of records) {
    if (result !== 'success' || provider === undefined) {
      continue;
    }
    switch (action) {
      case 'user.update':
      case 'user.delete':
        users.add(resource);
        break;
      case 'group.update':
        if (detail?.['members_removed'] !== undefined && detail['members_removed'] !== 0) {
          addGroup(groups, resource);
        }
        break;
      case 'membership.remove':
        addGroup(groups, resource);
        break;
      case 'binding.remove':
        namespaces.add(namespace as NamespaceId);
        break;
      // The groups that contained it are not known any more.
      case 'group.delete':
      case 'provider.delete':
        providers.add(provider);
        break;
    }
  }
  for (const [provider, changed] of groups) {
    const above = await bindings.namespacesAbove(provider, [...changed], MAX_NAMED + 1);
    if (above.length > MAX_NAMED) {
      providers.add(provider);
    } else {
      above.forEach((namespace) => namespaces.add(namespace));
    }
  }
  return { users: [...users], namespaces: [...namespaces], providers: [...providers] };
}

function addGroup(groups: Map<ProviderId, Set<GroupId>>, resource: string): void {
  const parts = parseResourceId(resource);
  if (parts?.type === 'Group') {
    const known = groups.get(parts.providerId) ?? new Set();
    groups.set(parts.providerId, known.add(resource as GroupId));
  }
}
