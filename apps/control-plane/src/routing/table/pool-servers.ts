import type { PoolName, Proxy } from '@palisade/domain';
import type { DesiredServer } from './desired-state.js';

/**
 * The servers of one pool, sorted by id: draining proxies get no new requests, and only healthy ones get any. But when fewer
 * than `panicThresholdPercent` of them would be left, all stay: then the checks are more likely wrong than the proxies, and a
 * proxy that may answer is better than none.
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

/** The servers of each of these pools, sorted by name; pools without proxies are included. */
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
