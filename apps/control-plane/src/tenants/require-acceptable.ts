import type { TenantDraft, TenantId } from '@palisade/domain';
import { InvalidRequestError } from '@palisade/platform';
import type { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { findFramework, nameFrameworks } from '../config/frameworks.js';
import { UnknownPoolError } from '../routing/routing.errors.js';
import type { RoutingTable } from '../routing/table/routing-table.js';
import { PoolRequiredError, SingleTenantError } from './tenants.errors.js';

/**
 * What the configuration demands of a tenant, whoever registers it.
 *
 * @throws {SingleTenantError} {@link UnknownPoolError} {@link PoolRequiredError}
 * @throws {InvalidRequestError} when a framework in `compliance` forbids the isolation level
 */
export function requireAcceptable(
  id: TenantId,
  draft: TenantDraft,
  { finder }: RoutingTable,
  { pools, compliance }: Pick<ControlPlaneSettings, 'pools' | 'compliance'>,
): void {
  if (finder.only !== undefined) {
    throw new SingleTenantError();
  }
  if (draft.pool !== undefined && !pools.has(draft.pool)) {
    throw new UnknownPoolError(draft.pool, [...pools.keys()].sort());
  }
  const frameworks = nameFrameworks(compliance.frameworks.map(findFramework));
  if (draft.isolationLevel === 'none' && frameworks !== '') {
    throw new InvalidRequestError(
      'isolation_level',
      `namespace or session, as ${frameworks} does not let tenants share connections`,
    );
  }
  const placement = finder.placements.of({ ...draft, id });
  if (finder.reachablePools({ placement }, draft.namespacePatterns).size === 0) {
    throw new PoolRequiredError(id);
  }
}
