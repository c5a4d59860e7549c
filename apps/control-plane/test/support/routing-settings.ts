import {
  parseNamespacePattern,
  parsePoolName,
  parseTenantId,
  type IsolationLevel,
  type PoolName,
  type Tenant,
  type TenantDraft,
} from '@palisade/domain';
import type { NamespaceRoute, PoolDefinition, RoutingSettings } from '../../src/config/control-plane-settings.js';
import type { RoutingConfiguration } from '../../src/routing/table/route-finder.js';

export const STANDARD = parsePoolName('standard');
export const PREMIUM = parsePoolName('premium');
export const DEDICATED = parsePoolName('dedicated');

export interface RoutingOverrides extends Partial<RoutingSettings> {
  readonly pools?: readonly PoolDefinition[];
  readonly connectionPools?: RoutingConfiguration['isolation']['connectionPools'];
  readonly resourceLimits?: RoutingConfiguration['isolation']['resourceLimits'];
  readonly deployment?: RoutingConfiguration['deployment'];
}

/** Three pools (standard and premium at level namespace, dedicated at level session), and nothing that routes. */
export function routingSettings(overrides: RoutingOverrides = {}): RoutingConfiguration {
  const { pools = DEFAULT_POOLS, connectionPools = {}, resourceLimits = {}, ...others } = overrides;
  const { deployment = { model: 'hybrid' }, ...routing } = others;
  return {
    deployment,
    pools: new Map(pools.map((each) => [each.name, each])),
    routing: { namespaceRoutes: [], rules: [], drainMs: 30_000, ...routing },
    isolation: { connectionPools, resourceLimits, measuresCpu: false },
  };
}

export function pool(name: PoolName, isolationLevel: IsolationLevel): PoolDefinition {
  return { name, isolationLevel, replicas: 2, resources: { cpu: 2, memoryBytes: 4 * 2 ** 30 } };
}

const DEFAULT_POOLS = [pool(STANDARD, 'namespace'), pool(PREMIUM, 'namespace'), pool(DEDICATED, 'session')];

export function route(pattern: string, name: PoolName, weight = 1): NamespaceRoute {
  return { pattern: parseNamespacePattern(pattern), pool: name, weight };
}

export function tenant(
  id: string,
  patterns: readonly string[],
  draft: Partial<Omit<TenantDraft, 'namespacePatterns'>> = {},
): Tenant {
  const at = new Date(Date.UTC(2026, 10, 20));
  return {
    id: parseTenantId(id),
    namespacePatterns: patterns.map(parseNamespacePattern),
    ...draft,
    source: 'api',
    version: 1,
    createdAt: at,
    modifiedAt: at,
  };
}
