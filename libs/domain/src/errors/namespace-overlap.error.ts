import type { TenantId } from '../identifiers.js';
import type { NamespacePattern } from '../tenancy/namespace-pattern.js';
import { DomainError } from './domain.error.js';

/** Some namespace would belong to two tenants; nothing was changed. */
export class NamespaceOverlapError extends DomainError {
  override readonly name = 'NamespaceOverlapError';
  readonly code = 'NAMESPACE_OVERLAP';

  constructor(
    readonly pattern: NamespacePattern,
    readonly other: { readonly tenant: TenantId; readonly pattern: NamespacePattern },
  ) {
    super(`"${pattern}" overlaps with "${other.pattern}" of tenant "${other.tenant}"`);
  }
}
