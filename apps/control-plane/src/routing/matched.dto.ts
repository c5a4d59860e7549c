import type { PoolChoice } from './table/route.js';

/** What a pool is chosen by, as the API pages describe it. */
export const MATCHED_BY = {
  description:
    'What chose the pool: the installation for a single tenant, the tenant itself, a rule, an entry of namespace_routing, or default_pool.',
  enum: ['deployment', 'tenant', 'rule', 'namespace_routing', 'default_pool'] satisfies readonly PoolChoice[],
};
