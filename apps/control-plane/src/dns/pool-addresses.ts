import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { DesiredServer } from '../load-balancer/desired-state.js';

export type Lookup = (host: string) => Promise<readonly string[]>;

/** All addresses of a name, as the system resolves it. */
export async function lookupAll(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/**
 * The addresses that the name of a pool gets: those of its servers that take requests, without duplicates, in order.
 * Undefined when it has servers and none takes requests: then the name stays as it is, as an address is better than none.
 *
 * @throws when a server's name cannot be resolved: a pool that is known in part only is left as it is
 */
export async function addressesOf(
  servers: readonly DesiredServer[],
  resolve: Lookup,
): Promise<readonly string[] | undefined> {
  const hosts = servers.filter(({ state }) => state === 'up').map(({ host }) => host);
  if (hosts.length === 0 && servers.length > 0) {
    return undefined;
  }
  const addresses = await Promise.all(hosts.map((host) => (isIP(host) > 0 ? [host] : resolve(host))));
  return [...new Set(addresses.flat())].sort();
}
