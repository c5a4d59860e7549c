import { DomainError } from '../domain.error.js';
import type { PoolName, ProxyId, TenantId } from '../identifiers.js';
import type { NamespacePattern } from './namespace-pattern.js';

/** No tenant of this id is registered. */
export class TenantNotFoundError extends DomainError {
  readonly code = 'TENANT_NOT_FOUND';

  constructor(readonly tenant: TenantId) {
    super(`no tenant "${tenant}" is registered`);
  }
}

/** The tenant is registered with other values; nothing was changed. */
export class TenantConflictError extends DomainError {
  readonly code = 'TENANT_CONFLICT';

  constructor(readonly tenant: TenantId) {
    super(`tenant "${tenant}" is registered with other values; replace it to change them`);
  }
}

/** Some namespace would belong to two tenants; nothing was changed. */
export class NamespaceOverlapError extends DomainError {
  readonly code = 'NAMESPACE_OVERLAP';

  constructor(
    readonly pattern: NamespacePattern,
    readonly other: { readonly tenant: TenantId; readonly pattern: NamespacePattern },
  ) {
    super(`"${pattern}" overlaps with "${other.pattern}" of tenant "${other.tenant}"`);
  }
}

/** The registry holds as many patterns of the costly kind as it may; nothing was changed. */
export class TooManyPatternsError extends DomainError {
  readonly code = 'TOO_MANY_PATTERNS';

  constructor(readonly limit: number) {
    super(`there may be ${limit} patterns that are neither a name nor "prefix*"`);
  }
}

/** The id belongs to a proxy that was registered with another credential. */
export class ProxyTakenError extends DomainError {
  readonly code = 'PROXY_TAKEN';

  constructor(readonly proxy: ProxyId) {
    super(`the proxy "${proxy}" was registered with another credential`);
  }
}

/** One more proxy would exceed what the health checks and the load balancer are built for; nothing was changed. */
export class TooManyProxiesError extends DomainError {
  readonly code = 'TOO_MANY_PROXIES';

  /** @param pool the pool that is full; undefined when all pools together are */
  constructor(
    readonly limit: number,
    readonly pool?: PoolName,
  ) {
    super(`there may be ${limit} proxies ${pool === undefined ? 'in all pools together' : `in the pool "${pool}"`}`);
  }
}
