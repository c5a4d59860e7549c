import { lookup } from 'node:dns/promises';
import { SocketAddress, isIP } from 'node:net';
import { SYSTEM_CLOCK, mapParallel, within } from '@palisade/async';
import { findForbiddenAddress } from '@palisade/guards';
import type { DesiredServer, DesiredState } from '../routing/table/desired-state.js';
import type { ResolvedServer, ResolvedState } from './rendering/resolved-state.js';

/** A name is looked up again after this time, whether there was an answer or not. */
const FRESH_MS = 30_000;
const TIMEOUT_MS = 3_000;
/** Each lookup of the system's resolver occupies one of libuv's four threads, which files need as well. */
const MAX_CONCURRENT = 2;

export type LookUp = (host: string) => Promise<readonly string[]>;

interface Known {
  readonly addresses: readonly string[];
  readonly askedAt: number;
}

/**
 * The addresses of servers' names. Load balancers are given addresses only, as they reject a whole configuration in which one
 * name cannot be resolved. A name keeps its address as long as the answers contain it, or there is no answer.
 *
 * An answer with a link-local or metadata address counts as none: whoever controls a proxy's name must not send tenants'
 * requests there. Only the names of the last state are remembered.
 */
export class HostAddresses {
  private known = new Map<string, Known>();

  constructor(
    private readonly lookUp: LookUp = systemLookUp,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async resolve(state: DesiredState): Promise<ResolvedState> {
    const names = new Set(state.pools.flatMap(({ servers }) => servers.map(({ host }) => host)));
    await this.refresh([...names].filter((host) => isIP(host) === 0));
    const unresolved: { id: string; host: string }[] = [];
    const resolveServer = (server: DesiredServer): ResolvedServer[] => {
      const host = this.addressOf(server.host);
      if (host === undefined) {
        unresolved.push({ id: server.id, host: server.host });
        return [];
      }
      return [{ ...server, host }];
    };
    const pools = state.pools.map(({ name, servers }) => ({ name, servers: servers.flatMap(resolveServer) }));
    return { ...state, pools, unresolved };
  }

  private addressOf(host: string): string | undefined {
    // An address with a zone belongs to an interface of this machine, not of the load balancer's.
    switch (host.includes('%') ? 0 : isIP(host)) {
      case 4:
        return host;
      case 6:
        return canonical(host);
      default:
        return this.known.get(host)?.addresses[0];
    }
  }

  private async refresh(hosts: readonly string[]): Promise<void> {
    const known = new Map(hosts.map((host) => [host, this.known.get(host) ?? { addresses: [], askedAt: -Infinity }]));
    this.known = known;
    const waiting = hosts.filter((host) => this.now() - (known.get(host)?.askedAt ?? -Infinity) >= FRESH_MS);
    await mapParallel(waiting, MAX_CONCURRENT, async (host) => {
      const answer = await this.ask(host);
      const before = known.get(host)?.addresses ?? [];
      known.set(host, {
        addresses: answer.length === 0 ? before : keepFirst(before[0], answer),
        askedAt: this.now(),
      });
    });
  }

  private async ask(host: string): Promise<readonly string[]> {
    try {
      const found = await within(TIMEOUT_MS, SYSTEM_CLOCK, this.lookUp(host), () => new Error('no answer in time'));
      return found.some((address) => findForbiddenAddress(address) !== undefined) ? [] : found;
    } catch {
      return [];
    }
  }
}

/** Prefers IPv4, as load balancers may have no route to IPv6; then always the same address. */
function keepFirst(current: string | undefined, answer: readonly string[]): string[] {
  const sorted = answer
    .map((address) => (isIP(address) === 6 ? canonical(address) : address))
    .toSorted((a, b) => isIP(a) - isIP(b) || (a < b ? -1 : 1));
  return current !== undefined && sorted.includes(current) ? [current] : sorted.slice(0, 1);
}

/** The form in which load balancers show it. */
function canonical(address: string): string {
  return new SocketAddress({ address, family: 'ipv6' }).address;
}

async function systemLookUp(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
