import { BACKEND_KINDS, type BackendPoolSettings, type ConnectionPools } from '@palisade/domain';
import type { NamespaceRoute, RoutingRule, RoutingSettings } from '../../config/control-plane-settings.js';
import type { ControlPlaneFile } from '../dto/control-plane-file.js';
import type { RuleBackendSection, RuleConnectionPoolsSection, RuleSection } from '../dto/routing.dto.js';
import { ANY_DURATION } from '../kinds/basic-kinds.js';
import { REVENUE } from '../kinds/conditions.js';
import { read, readOptional } from '../kinds/kind.js';
import { NAMESPACE_PATTERN, POOL_NAME, TENANT_ID } from '../kinds/names.js';

export function toRouting(file: ControlPlaneFile): RoutingSettings {
  return {
    namespaceRoutes: file.namespace_routing.map(toRoute),
    rules: (file.tenant_routing?.rules ?? []).map(toRule),
    defaultPool: readOptional(POOL_NAME, file.default_pool),
    drainMs: read(ANY_DURATION, file.drain_timeout),
  };
}

/** Only what a tenant may have of its own. */
export function toConnectionPools(pools: RuleConnectionPoolsSection = {}): ConnectionPools {
  return Object.fromEntries(
    BACKEND_KINDS.flatMap((kind) => {
      const section = pools[kind];
      return section === undefined ? [] : [[kind, toBackendPool(section)]];
    }),
  );
}

function toRoute({ namespace, pool, weight = 1 }: ControlPlaneFile['namespace_routing'][number]): NamespaceRoute {
  return { pattern: read(NAMESPACE_PATTERN, namespace), pool: read(POOL_NAME, pool), weight };
}

function toRule({ match, action }: RuleSection): RoutingRule {
  return {
    match: {
      tier: match.tier,
      annualRevenue: readOptional(REVENUE, match.annual_revenue),
      contracts: match.contracts?.map((tenant) => read(TENANT_ID, tenant)),
    },
    action: {
      deployment: action.deployment,
      pool: readOptional(POOL_NAME, action.pool),
      isolationLevel: action.isolation_level,
      connectionPools: action.connection_pools && toConnectionPools(action.connection_pools),
    },
  };
}

function toBackendPool(section: RuleBackendSection): BackendPoolSettings {
  return {
    connectionsPerNamespace: section.connections_per_namespace,
    maxTotalConnections: section.max_total_connections,
    maxConnections: section.max_connections,
    perSessionLimit: section.per_session_limit,
  };
}
