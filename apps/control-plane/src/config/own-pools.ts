import { parsePoolName } from '@palisade/domain';

/** The pool that `proxy` is in `single_tenant`, and the pool of tenants that are promised proxies of their own. */
export const DEDICATED_POOL = parsePoolName('dedicated');

/** The problem of a rule for which {@link hasOwnPools} does not hold. */
export const OWN_POOL_EXPECTED =
  `expected the name of a pool, as there is no pool "${DEDICATED_POOL}" and none named after each tenant of ` +
  'match.contracts';

/**
 * Whether every tenant that a rule promises proxies of its own, without naming a pool, has one: such a tenant must not
 * share with others because a line is missing.
 *
 * @param contracts the only tenants that the rule applies to; undefined: it may apply to any
 */
export function hasOwnPools(contracts: readonly string[] | undefined, pools: ReadonlySet<string>): boolean {
  return pools.has(DEDICATED_POOL) || (contracts?.every((tenant) => pools.has(tenant)) ?? false);
}
