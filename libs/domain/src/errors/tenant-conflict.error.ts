import type { TenantId } from '../identifiers.js';
import { DomainError } from './domain.error.js';

/** The tenant is registered with other values; nothing was changed. */
export class TenantConflictError extends DomainError {
  override readonly name = 'TenantConflictError';
  readonly code = 'TENANT_CONFLICT';

  constructor(readonly tenant: TenantId) {
    super(`tenant "${tenant}" is registered with other values; replace it to change them`);
  }
}
