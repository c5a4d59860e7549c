import {
  patternShape,
  resourceTypeOf,
  type BindingKey,
  type ChangeContext,
  type GroupId,
  type JsonObject,
  type LogRecord,
  type ProviderId,
  type ProviderToken,
  type Proxy,
  type ProxyHealth,
  type ResourceId,
  type Tenant,
} from '@palisade/domain';

/** How many memberships of a group one change made and ended. */
export interface MembershipCounts {
  readonly added: number;
  readonly removed: number;
}

/** A record names at most this many patterns of a tenant; it always has their number. */
const MAX_NAMED_PATTERNS = 100;

/** A user or group was stored, changed or removed. Counts of members appear when there are any. */
export function resourceChanged(
  change: ChangeContext,
  kind: 'create' | 'update' | 'delete',
  provider: ProviderId,
  id: ResourceId,
  members: MembershipCounts = { added: 0, removed: 0 },
): LogRecord {
  const hasMemberChanges = members.added + members.removed > 0;
  return success(change, {
    action: `${resourceTypeOf(id).toLowerCase()}.${kind}`,
    resource: id,
    provider,
    ...(hasMemberChanges && { detail: { members_added: members.added, members_removed: members.removed } }),
  });
}

/** Reconciliation ended one membership. */
export function membershipRemoved(
  change: ChangeContext,
  provider: ProviderId,
  group: GroupId,
  member: ResourceId,
): LogRecord {
  return success(change, { action: 'membership.remove', resource: group, provider, detail: { member } });
}

/** @param provider the one that the bound group belongs to */
export function bindingChanged(
  change: ChangeContext,
  kind: 'add' | 'remove',
  provider: ProviderId,
  { namespace, boundSubject, relation }: BindingKey,
): LogRecord {
  return success(change, {
    action: `binding.${kind}`,
    resource: `namespace:${namespace}#${relation}@${boundSubject}`,
    provider,
    namespace,
  });
}

export function providerChanged(
  change: ChangeContext,
  kind: 'create' | 'update' | 'delete',
  provider: ProviderId,
): LogRecord {
  return success(change, { action: `provider.${kind}`, resource: `provider:${provider}`, provider });
}

export function tokenChanged(
  change: ChangeContext,
  kind: 'create' | 'expire' | 'revoke',
  { id, provider }: Pick<ProviderToken, 'id' | 'provider'>,
): LogRecord {
  return success(change, { action: `token.${kind}`, resource: `token:${id}`, provider });
}

export function tenantRegistered(change: ChangeContext, tenant: Tenant): LogRecord {
  return tenantChanged(change, 'tenant.register', tenant, contentOf(tenant));
}

/** A change of pool is a move. */
export function tenantReplaced(change: ChangeContext, before: Tenant, tenant: Tenant): LogRecord {
  if (before.pool === tenant.pool) {
    return tenantChanged(change, 'tenant.replace', tenant, contentOf(tenant));
  }
  const detail = { ...contentOf(tenant), from_pool: before.pool ?? null, to_pool: tenant.pool ?? null };
  return tenantChanged(change, 'tenant.move', tenant, detail);
}

export function tenantRemoved(change: ChangeContext, tenant: Tenant): LogRecord {
  return tenantChanged(change, 'tenant.remove', tenant, contentOf(tenant));
}

export function proxyRegistered(change: ChangeContext, proxy: Proxy): LogRecord {
  const { source, pool, host, port, weight, isDraining } = proxy;
  return proxyChanged(change, 'proxy.register', proxy, { source, pool, host, port, weight, is_draining: isDraining });
}

export function proxyRemoved(change: ChangeContext, proxy: Proxy): LogRecord {
  const { source, pool, host, port } = proxy;
  return proxyChanged(change, 'proxy.remove', proxy, { source, pool, host, port });
}

export function proxyHealthChanged(change: ChangeContext, proxy: Proxy, before: ProxyHealth): LogRecord {
  const { pool, health, healthDetail } = proxy;
  const detail = { pool, from: before, to: health, ...(healthDetail !== undefined && { reason: healthDetail }) };
  return proxyChanged(change, 'proxy.health', proxy, detail);
}

function tenantChanged(change: ChangeContext, action: string, tenant: Tenant, detail: JsonObject): LogRecord {
  const [pattern, ...others] = tenant.namespacePatterns;
  const isOneNamespace = pattern !== undefined && others.length === 0 && patternShape(pattern) === 'exact';
  return success(change, {
    action,
    resource: `tenant:${tenant.id}`,
    tenantId: tenant.id,
    ...(isOneNamespace && { namespace: pattern }),
    detail,
  });
}

function proxyChanged(change: ChangeContext, action: string, { id }: Proxy, detail: JsonObject): LogRecord {
  return success(change, { action, resource: `proxy:${id}`, detail });
}

function success(
  { at, actor, requestId }: ChangeContext,
  changed: Pick<LogRecord, 'action' | 'resource' | 'provider' | 'tenantId' | 'namespace' | 'detail'>,
): LogRecord {
  return { timestamp: at, userId: actor, ...changed, result: 'success', ...(requestId !== undefined && { requestId }) };
}

function contentOf(tenant: Tenant): JsonObject {
  const { source, version, namespacePatterns, pool, isolationLevel, tier } = tenant;
  return {
    source,
    version,
    patterns: namespacePatterns.slice(0, MAX_NAMED_PATTERNS).join(' '),
    pattern_count: namespacePatterns.length,
    ...(pool !== undefined && { pool }),
    ...(isolationLevel !== undefined && { isolation_level: isolationLevel }),
    ...(tier !== undefined && { tier }),
  };
}
