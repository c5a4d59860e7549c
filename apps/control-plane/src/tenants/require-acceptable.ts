import { UNREGISTERED_TENANT, isObject, type PoolName, type TenantDraft, type TenantId } from '@palisade/domain';
import { InvalidRequestError } from '@palisade/platform';
import type { ControlPlaneSettings, PoolDefinition } from '../config/control-plane-settings.js';
import { resourceProblems, writeResources } from '../config/resource-limits.js';
import { findFramework, nameFrameworks } from '../config/frameworks.js';
import { UnknownPoolError } from '../routing/routing.errors.js';
import type { Placement } from '../routing/table/placement.js';
import type { RoutingTable } from '../routing/table/routing-table.js';
import { PoolRequiredError, SingleTenantError } from './tenants.errors.js';

/**
 * What the configuration demands of a tenant, and its pools can give it, whoever registers it.
 *
 * @throws {SingleTenantError} {@link UnknownPoolError} {@link PoolRequiredError}
 * @throws {InvalidRequestError} when a pool or a framework in `compliance` does not permit what the tenant is to have
 */
export function requireAcceptable(
  id: TenantId,
  draft: TenantDraft,
  { finder, configuration }: RoutingTable,
  { pools, compliance }: Pick<ControlPlaneSettings, 'pools' | 'compliance'>,
): void {
  if (finder.only !== undefined) {
    throw new SingleTenantError();
  }
  if (id === UNREGISTERED_TENANT) {
    throw new InvalidRequestError(
      'tenant_id',
      `another one than "${id}", which stands for namespaces without a tenant`,
    );
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
  const reachable = finder.reachablePools({ placement }, draft.namespacePatterns);
  if (reachable.size === 0) {
    throw new PoolRequiredError(id);
  }
  for (const name of reachable) {
    const pool = pools.get(name);
    if (pool !== undefined) {
      requireOffered(placement, pool);
      requireBelowCaps(draft, pool);
      requireWithinProxy(draft, pool, configuration.isolation.measuresCpu);
    }
  }
}

function requireOffered({ isolationLevel }: Placement, pool: PoolDefinition): void {
  const level = isolationLevel ?? pool.isolationLevel;
  if (pool.isolationLevels?.includes(level) === false) {
    const offered = pool.isolationLevels.join(' or ');
    throw new InvalidRequestError('isolation_level', `${offered}, as the pool "${pool.name}" offers; found ${level}`);
  }
}

function requireBelowCaps({ connectionPools = {} }: TenantDraft, { name, isolationSettings }: PoolDefinition): void {
  const backends = isolationSettings?.['connection_pools'];
  for (const [backend, limits] of Object.entries(connectionPools)) {
    const ofPool = isObject(backends) ? backends[backend] : undefined;
    const cap = isObject(ofPool) ? (ofPool['max_total_connections'] ?? ofPool['max_connections']) : undefined;
    if (typeof cap !== 'number') {
      continue;
    }
    const { connectionsPerNamespace, perSessionLimit, maxTotalConnections, maxConnections } = limits;
    for (const [key, value = 0] of [
      ['connections_per_namespace', connectionsPerNamespace] as const,
      ['per_session_limit', perSessionLimit] as const,
    ]) {
      requireCap(value <= cap, `connection_pools.${backend}.${key}`, `at most ${cap}`, name, value);
    }
    for (const [key, value = cap] of [
      ['max_total_connections', maxTotalConnections] as const,
      ['max_connections', maxConnections] as const,
    ]) {
      requireCap(value === cap, `connection_pools.${backend}.${key}`, `${cap}`, name, value);
    }
  }
}

function requireWithinProxy(
  { resourceLimits = {} }: TenantDraft,
  { name, resources }: PoolDefinition,
  measuresCpu: boolean,
): void {
  const [problem] = resourceProblems(resourceLimits, [resources], measuresCpu, `a proxy of the pool "${name}"`);
  if (problem !== undefined) {
    const found = writeResources(resourceLimits)[problem.key];
    throw new InvalidRequestError(`resource_limits.${problem.key}`, `${problem.expected}; found ${found}`);
  }
}

function requireCap(isMet: boolean, field: string, expected: string, pool: PoolName, found: number): void {
  if (!isMet) {
    throw new InvalidRequestError(field, `${expected}, the cap of the pool "${pool}"; found ${found}`);
  }
}
