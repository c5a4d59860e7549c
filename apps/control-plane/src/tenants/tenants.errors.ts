import { DomainError, type TenantId } from '@palisade/domain';

/** Namespaces of the tenant would go nowhere; nothing was changed. */
export class PoolRequiredError extends DomainError {
  override readonly name = 'PoolRequiredError';
  readonly code = 'POOL_REQUIRED';

  constructor(readonly tenant: TenantId) {
    super(
      `pool: expected the name of a pool, as neither a rule, namespace_routing nor default_pool has one for tenant "${tenant}"`,
    );
  }
}

/** The installation serves one tenant, which the configuration names; nothing was changed. */
export class SingleTenantError extends DomainError {
  override readonly name = 'SingleTenantError';
  readonly code = 'SINGLE_TENANT';

  constructor() {
    super('this installation serves a single tenant, which deployment.tenant_id names; tenants cannot be registered');
  }
}
