import { DomainError } from '@palisade/domain';

/** The installation serves one tenant, which the configuration names; nothing was changed. */
export class SingleTenantError extends DomainError {
  override readonly name = 'SingleTenantError';
  readonly code = 'SINGLE_TENANT';

  constructor() {
    super('this installation serves a single tenant, which deployment.tenant_id names; tenants cannot be registered');
  }
}
