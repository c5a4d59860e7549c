import type { PoolName, Proxy } from '@palisade/domain';
import type { DesiredServer } from './desired-state.js';

/**
 * What the load balancer is to do with the proxies of one pool, in order of id: those that drain get nothing new, and
 * only healthy ones get requests. But when fewer than `panicThresholdPercent` of them would be left, all stay: then it is
 * likelier that the checks are wrong than that they are not, and a proxy that may answer is better than none.
 */
export function serversOf(proxies: readonly Proxy[], panicThresholdPercent: number): DesiredServer[] {
  const able = proxies.filter(({ isDraining }) => !isDraining);
  const healthy = able.filter(({ health }) => health === 'healthy');
  const isPanic = healthy.length * 100 < able.length * panicThresholdPercent;
  return proxies
    .map((proxy): DesiredServer => {
      const { id, host, port, weight, isDraining, health } = proxy;
      const state = isDraining ? 'drain' : isPanic || health === 'healthy' ? 'up' : 'down';
      return { id, host, port, weight, state };
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The servers of each of these pools, in order of name; pools without proxies included. */
export function poolsOf(
  names: Iterable<PoolName>,
  proxies: readonly Proxy[],
  panicThresholdPercent: number,
): { readonly name: PoolName; readonly servers: readonly DesiredServer[] }[] {
  const byPool = Map.groupBy(proxies, ({ pool }) => pool);
  return [...new Set(names)]
    .sort()
    .map((name) => ({ name, servers: serversOf(byPool.get(name) ?? [], panicThresholdPercent) }));
}

/** Those that take requests of the pools: healthy, and not draining. */
export function servingProxies(proxies: readonly Proxy[], pools: readonly PoolName[]): Proxy[] {
  return proxies.filter(({ pool, health, isDraining }) => pools.includes(pool) && health === 'healthy' && !isDraining);
}
