import {
  MAX_WILDCARD_PATTERNS,
  PatternIndex,
  patternShape,
  type NamespaceId,
  type NamespacePattern,
  type TenantId,
} from '@palisade/domain';
import type { WrittenTenant } from './policy-documents.js';
import type { Report, Tenant } from './terms.js';

/** The tenants of a policy, found by namespace exactly as the control plane finds them. */
export class TenantTable {
  readonly #byId = new Map<TenantId, Tenant>();
  readonly #byPattern = new PatternIndex<Tenant>();
  #wildcards = 0;

  get size(): number {
    return this.#byId.size;
  }

  find(namespace: NamespaceId): Tenant | undefined {
    return this.#byPattern.find(namespace);
  }

  /** Reports what {@link replace} could not do without contradiction. */
  check(tenants: readonly WrittenTenant[], removed: readonly TenantId[], report: Report): void {
    const ids = new Set<TenantId>();
    const leaving = new Set([...removed, ...tenants.map(({ tenantId }) => tenantId)]);
    const claims = new Map<NamespacePattern, TenantId>();
    let wildcards = this.#wildcards - countWildcards([...leaving].flatMap((id) => this.#byId.get(id)?.patterns ?? []));
    for (const [index, { tenantId, namespaces }] of tenants.entries()) {
      if (ids.has(tenantId) || removed.includes(tenantId)) {
        report(['tenants', index, 'tenant_id'], `"${tenantId}" is there twice`);
      }
      if (namespaces.length === 0) {
        report(['tenants', index, 'namespaces'], 'expected one at least');
      }
      ids.add(tenantId);
      for (const [position, pattern] of namespaces.entries()) {
        const present = this.#byPattern.get(pattern)?.tenantId;
        const owner = claims.get(pattern) ?? (present !== undefined && !leaving.has(present) ? present : tenantId);
        if (owner !== tenantId) {
          report(['tenants', index, 'namespaces', position], `"${pattern}" belongs to tenant "${owner}" already`);
        }
        claims.set(pattern, owner);
      }
      wildcards += countWildcards(namespaces);
    }
    if (wildcards > MAX_WILDCARD_PATTERNS) {
      report(['tenants'], `expected at most ${MAX_WILDCARD_PATTERNS} patterns that are neither a name nor "prefix*"`);
    }
  }

  /** Takes tenants out, and others in or in place of what they were. */
  replace(tenants: readonly Tenant[], removed: readonly TenantId[]): void {
    for (const id of [...removed, ...tenants.map(({ tenantId }) => tenantId)]) {
      this.#remove(id);
    }
    for (const tenant of tenants) {
      this.#byId.set(tenant.tenantId, tenant);
      this.#wildcards += countWildcards(tenant.patterns);
      for (const pattern of tenant.patterns) {
        this.#byPattern.set(pattern, tenant);
      }
    }
  }

  #remove(id: TenantId): void {
    const tenant = this.#byId.get(id);
    if (tenant !== undefined) {
      this.#byId.delete(id);
      this.#wildcards -= countWildcards(tenant.patterns);
      for (const pattern of tenant.patterns) {
        this.#byPattern.delete(pattern);
      }
    }
  }
}

function countWildcards(patterns: readonly NamespacePattern[]): number {
  return patterns.filter((pattern) => patternShape(pattern) === 'wildcard').length;
}
