import {
  patternShape,
  type ActionRecord,
  type ChangeContext,
  type Proxy,
  type ProxyHealth,
  type Tenant,
} from '@palisade/domain';

type Detail = NonNullable<ActionRecord['detail']>;

/** So many patterns of a tenant are named in a record; of more, their number tells. */
const MAX_NAMED_PATTERNS = 100;

export function tenantRegistered(change: ChangeContext, tenant: Tenant): ActionRecord {
  return tenantAction(change, 'tenant.register', tenant, contentOf(tenant));
}

/** A change of pool is a move. */
export function tenantReplaced(change: ChangeContext, before: Tenant, tenant: Tenant): ActionRecord {
  if (before.pool === tenant.pool) {
    return tenantAction(change, 'tenant.replace', tenant, contentOf(tenant));
  }
  const detail = { ...contentOf(tenant), fromPool: before.pool ?? null, toPool: tenant.pool ?? null };
  return tenantAction(change, 'tenant.move', tenant, detail);
}

export function tenantRemoved(change: ChangeContext, tenant: Tenant): ActionRecord {
  return tenantAction(change, 'tenant.remove', tenant, contentOf(tenant));
}

export function proxyRegistered(change: ChangeContext, proxy: Proxy): ActionRecord {
  const { source, pool, host, port, weight, isDraining } = proxy;
  return proxyAction(change, 'proxy.register', proxy, { source, pool, host, port, weight, isDraining });
}

export function proxyRemoved(change: ChangeContext, proxy: Proxy): ActionRecord {
  const { source, pool, host, port } = proxy;
  return proxyAction(change, 'proxy.remove', proxy, { source, pool, host, port });
}

export function proxyHealthChanged(change: ChangeContext, proxy: Proxy, before: ProxyHealth): ActionRecord {
  const { pool, health, healthDetail } = proxy;
  const detail = { pool, from: before, to: health, ...(healthDetail !== undefined && { reason: healthDetail }) };
  return proxyAction(change, 'proxy.health', proxy, detail);
}

function tenantAction(change: ChangeContext, action: string, tenant: Tenant, detail: Detail): ActionRecord {
  const [pattern, ...others] = tenant.namespacePatterns;
  const isOneNamespace = pattern !== undefined && others.length === 0 && patternShape(pattern) === 'exact';
  return {
    ...success(change, action, `tenant:${tenant.id}`, detail),
    tenantId: tenant.id,
    ...(isOneNamespace && { namespace: pattern }),
  };
}

function proxyAction(change: ChangeContext, action: string, { id }: Proxy, detail: Detail): ActionRecord {
  return success(change, action, `proxy:${id}`, detail);
}

function success({ at, actor, requestId }: ChangeContext, action: string, resource: string, detail: Detail) {
  const result = 'success' as const;
  const request = requestId !== undefined && { requestId };
  return { timestamp: at, userId: actor, action, resource, result, detail: { ...detail, ...request } };
}

function contentOf(tenant: Tenant): Detail {
  const { source, version, namespacePatterns, pool, isolationLevel, tier } = tenant;
  return {
    source,
    version,
    patterns: namespacePatterns.slice(0, MAX_NAMED_PATTERNS).join(' '),
    patternCount: namespacePatterns.length,
    ...(pool !== undefined && { pool }),
    ...(isolationLevel !== undefined && { isolationLevel }),
    ...(tier !== undefined && { tier }),
  };
}
