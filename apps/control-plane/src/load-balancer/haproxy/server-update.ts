import type { ResolvedPool, ResolvedServer } from '../rendering/resolved-state.js';
import { printAddress, printPort } from '../rendering/printed-values.js';
import { printEffectiveWeight, printServerOptions, backendOf, qualifiedServer } from './haproxy-configuration.js';
import type { HaproxyWorker, ObservedServer } from './haproxy-worker.js';

type ObservedServers = ReadonlyMap<string, ObservedServer>;

/** With more removed servers in maintenance, a reload is due to get rid of them. */
const MAX_RETIRED = 200;

/**
 * Updates a worker's servers. Removed servers get no more requests, but stay in maintenance until the next reload: HAProxy up
 * to 2.8.3 may crash when a server is deleted while requests wait for it.
 *
 * @throws {Error} with HAProxy's answers when the servers are not as desired afterwards, or too many are in maintenance
 */
export async function updateServers(worker: HaproxyWorker, pools: readonly ResolvedPool[]): Promise<void> {
  const observed = await worker.servers();
  const commands = pools.flatMap((pool) => commandsFor(pool, observed.get(backendOf(pool.name)) ?? new Map()));
  const answers = await worker.run(commands);
  const now = await worker.servers();
  const differences = serverDifferences(pools, now);
  if (differences.length > 0) {
    const named = differences.slice(0, 5).join(', ');
    throw new Error(`servers are not as desired: ${named}; HAProxy answered: ${answers.slice(0, 500)}`);
  }
  const retired = pools.flatMap((pool) => unwanted(pool, now.get(backendOf(pool.name)) ?? new Map()));
  if (retired.length > MAX_RETIRED) {
    throw new Error(`${retired.length} removed servers are still in maintenance`);
  }
}

/** Descriptions of the servers that are not as desired. */
export function serverDifferences(
  pools: readonly ResolvedPool[],
  observed: ReadonlyMap<string, ObservedServers>,
): string[] {
  return pools.flatMap((pool) => {
    const servers = observed.get(backendOf(pool.name)) ?? new Map<string, ObservedServer>();
    const active = unwanted(pool, servers).filter((id) => servers.get(id)?.isInMaintenance === false);
    return [
      ...pool.servers.flatMap((server) => differencesOf(pool.name, server, servers.get(server.id))),
      ...active.map((id) => `${pool.name}/${id} is not wanted`),
    ];
  });
}

function differencesOf(pool: string, server: ResolvedServer, found: ObservedServer | undefined): string[] {
  const name = `${pool}/${server.id}`;
  return found === undefined ? [`${name} is missing`] : deviations(server, found).map((what) => `${name}: ${what}`);
}

type Deviation = 'address' | 'weight' | 'state';

function deviations(server: ResolvedServer, found: ObservedServer): Deviation[] {
  const isElsewhere = found.address !== server.host || found.port !== server.port;
  const isOtherState = found.isDraining || found.isInMaintenance !== (server.state === 'down');
  return [
    ...(isElsewhere ? ['address' as const] : []),
    ...(String(found.weight) === printEffectiveWeight(server) ? [] : ['weight' as const]),
    ...(isOtherState ? ['state' as const] : []),
  ];
}

function commandsFor(pool: ResolvedPool, servers: ObservedServers): string[] {
  const wanted = pool.servers.flatMap((server) => {
    const name = qualifiedServer(pool.name, server.id);
    const found = servers.get(server.id);
    return found === undefined
      ? additions(pool.name, name, server)
      : deviations(server, found).map((what) => correction(name, server, what));
  });
  const gone = unwanted(pool, servers).filter((id) => servers.get(id)?.isInMaintenance === false);
  return [...wanted, ...gone.map((id) => `set server ${qualifiedServer(pool.name, id)} state maint`)];
}

function unwanted({ servers }: ResolvedPool, observed: ObservedServers): string[] {
  const wanted = new Set<string>(servers.map(({ id }) => id));
  return [...observed.keys()].filter((id) => !wanted.has(id));
}

function additions(pool: string, name: string, server: ResolvedServer): string[] {
  // A new server is in maintenance until it is set ready.
  const ready = server.state === 'down' ? [] : [`set server ${name} state ready`];
  return [`add server ${backendOf(pool)}/${printServerOptions(server)}`, `enable health ${name}`, ...ready];
}

function correction(name: string, server: ResolvedServer, what: Deviation): string {
  switch (what) {
    case 'address':
      return `set server ${name} addr ${printAddress(server.host).replaceAll(/[[\]]/g, '')} port ${printPort(server.port)}`;
    case 'weight':
      return `set server ${name} weight ${printEffectiveWeight(server)}`;
    case 'state':
      return `set server ${name} state ${server.state === 'down' ? 'maint' : 'ready'}`;
  }
}
