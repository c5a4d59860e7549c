import type { ExamplesObject } from '@nestjs/swagger';

export const REGISTER_TENANT_EXAMPLES: ExamplesObject = {
  placed: {
    summary: 'A tenant in a pool',
    value: { tenant_id: 'acme', namespace_pattern: 'acme-*', pool: 'standard', isolation_level: 'namespace' },
  },
  several: {
    summary: 'Several namespaces, and connections of its own',
    value: {
      tenant_id: 'globex',
      namespace_patterns: ['globex', 'globex-*'],
      pool: 'premium',
      connection_pools: { redis: { connections_per_namespace: 20 } },
    },
  },
};

export const REPLACE_TENANT_EXAMPLES: ExamplesObject = {
  move: { summary: 'Another pool', value: { namespace_pattern: 'acme-*', pool: 'premium' } },
};
