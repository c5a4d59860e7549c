import { parseTenantId } from '@palisade/domain';
import type { RoutingRule } from '../../src/config/control-plane-settings.js';
import { DEDICATED, PREMIUM, STANDARD } from './routing-settings.js';

/** Enterprise with high revenue apart, premium by sessions, standard by namespaces. */
export const EXAMPLE_A: readonly RoutingRule[] = [
  {
    match: { tier: 'enterprise', annualRevenue: { operator: '>', amount: 100_000 } },
    action: { deployment: 'single_tenant', pool: DEDICATED },
  },
  { match: { tier: 'premium' }, action: { deployment: 'multi_tenant', pool: PREMIUM, isolationLevel: 'session' } },
  { match: { tier: 'standard' }, action: { deployment: 'multi_tenant', pool: STANDARD, isolationLevel: 'namespace' } },
];

/** Named enterprise tenants apart, premium with high revenue and standard by namespaces with connections of their own. */
export const EXAMPLE_B: readonly RoutingRule[] = [
  {
    match: { tier: 'enterprise', contracts: ['healthcare-a', 'finance-b'].map(parseTenantId) },
    action: { deployment: 'single_tenant', isolationLevel: 'session' },
  },
  {
    match: { tier: 'premium', annualRevenue: { operator: '>', amount: 10_000 } },
    action: {
      deployment: 'multi_tenant',
      pool: PREMIUM,
      isolationLevel: 'namespace',
      connectionPools: { redis: { connectionsPerNamespace: 20 } },
    },
  },
  {
    match: { tier: 'standard' },
    action: {
      deployment: 'multi_tenant',
      pool: STANDARD,
      isolationLevel: 'namespace',
      connectionPools: { redis: { connectionsPerNamespace: 5 } },
    },
  },
];
