import type { TenantId } from '../identifiers.js';
import { DomainError } from './domain.error.js';

/** No tenant of this id is registered. */
export class TenantNotFoundError extends DomainError {
  override readonly name = 'TenantNotFoundError';
  readonly code = 'TENANT_NOT_FOUND';

  constructor(readonly tenant: TenantId) {
    super(`no tenant "${tenant}" is registered`);
  }
}
