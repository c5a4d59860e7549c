import { parsePoolName } from '@palisade/domain';

/** The pool that `proxy` is in `single_tenant`, and the pool of tenants that are promised proxies of their own. */
export const DEDICATED_POOL = parsePoolName('dedicated');

/** The problem of a rule for which {@link hasOwnPools} does not hold. */
export const OWN_POOL_EXPECTED =
  `expected the name of a pool, as there is no pool "${DEDICATED_POOL}" and not one named like each tenant of ` +
  'match.contracts';

/**
 * Whether there is a pool for everybody to whom a rule promises proxies of their own without naming one: whoever was
 * promised that must not end up among others because a line is missing.
 *
 * @param contracts the only ones for whom the rule holds; undefined: nobody knows for whom
 */
export function hasOwnPools(contracts: readonly string[] | undefined, pools: ReadonlySet<string>): boolean {
  return pools.has(DEDICATED_POOL) || (contracts?.every((tenant) => pools.has(tenant)) ?? false);
}
