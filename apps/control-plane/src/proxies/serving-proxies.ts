import type { PoolName, Proxy } from '@palisade/domain';

/** Those that take requests of the pools: healthy, and not draining. */
export function servingProxies(proxies: readonly Proxy[], pools: readonly PoolName[]): Proxy[] {
  return proxies.filter(({ pool, health, isDraining }) => pools.includes(pool) && health === 'healthy' && !isDraining);
}
