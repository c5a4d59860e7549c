import { isDeepStrictEqual } from 'node:util';
import {
  type ChangeContext,
  ManagedElsewhereError,
  PreconditionFailedError,
  type ReplaceTenantOptions,
  type Tenant,
  type TenantDraft,
  type TenantId,
  type TenantSource,
} from '@palisade/domain';
import { frozenCopy } from './json.js';

/** A tenant as it is after its registration. */
export function newTenant(id: TenantId, source: TenantSource, draft: TenantDraft, { at }: ChangeContext): Tenant {
  return { id, ...contentOf(draft), source, version: 1, createdAt: new Date(at), modifiedAt: new Date(at) };
}

/** Whether the tenant is what registering the draft would create. */
export function isRegisteredAs(tenant: Tenant, source: TenantSource, draft: TenantDraft): boolean {
  return tenant.source === source && isSameContent(tenant, draft);
}

/**
 * The tenant after its replacement; the same object when nothing changes.
 *
 * @throws {ManagedElsewhereError} {@link PreconditionFailedError}
 */
export function replaceTenant(
  tenant: Tenant,
  draft: TenantDraft,
  { at }: ChangeContext,
  options: ReplaceTenantOptions,
): Tenant {
  requireChangeable(tenant, options);
  if (isSameContent(tenant, draft)) {
    return tenant;
  }
  const { id, source, version, createdAt } = tenant;
  const draining = tenant.pool === draft.pool ? tenant.draining : drainOf(tenant, at, options);
  return {
    id,
    ...contentOf(draft),
    source,
    version: version + 1,
    createdAt,
    modifiedAt: new Date(at),
    ...(draining && { draining }),
  };
}

/** @throws {ManagedElsewhereError} {@link PreconditionFailedError} */
export function requireChangeable(
  tenant: Tenant,
  { source, ifVersion }: Pick<ReplaceTenantOptions, 'source' | 'ifVersion'>,
): void {
  if (tenant.source !== source) {
    throw new ManagedElsewhereError('tenant', tenant.id, tenant.source);
  }
  if (ifVersion !== undefined && ifVersion !== tenant.version) {
    throw new PreconditionFailedError(String(ifVersion), String(tenant.version));
  }
}

function drainOf({ pool }: Tenant, at: Date, { drainMs = 0 }: ReplaceTenantOptions): Tenant['draining'] {
  return pool !== undefined && drainMs > 0 ? { pool, until: new Date(at.getTime() + drainMs) } : undefined;
}

function isSameContent(a: TenantDraft, b: TenantDraft): boolean {
  return isDeepStrictEqual(comparable(a), comparable(b));
}

/** The order of the patterns does not matter. */
function comparable(draft: TenantDraft): TenantDraft {
  const content = contentOf(draft);
  return { ...content, namespacePatterns: content.namespacePatterns.toSorted() };
}

function contentOf(draft: TenantDraft): TenantDraft {
  const { pool, isolationLevel, tier, annualRevenue, connectionPools, resourceLimits } = draft;
  const namespacePatterns = [...new Set(draft.namespacePatterns)];
  return frozenCopy({ namespacePatterns, pool, isolationLevel, tier, annualRevenue, connectionPools, resourceLimits });
}

/** All prefixes of a text, from the empty one to the text itself. */
export function prefixesOf(text: string): string[] {
  return Array.from({ length: text.length + 1 }, (_, length) => text.slice(0, length));
}
