import { Resolver } from 'node:dns/promises';
import type { SrvRecord } from 'node:dns';
import type { PoolName, ProxyStore } from '@palisade/domain';
import { PeriodicDuty, type LeaderTerm } from '../leadership/leader-duty.js';
import type { DiscoverySettings } from '../config/control-plane-settings.js';
import { DiscoveredProxies, type DiscoveredProxy } from './discovered-proxies.js';

export type DnsSrvSettings = Extract<DiscoverySettings, { type: 'dns_srv' }>;

const MAX_WEIGHT = 256;

/**
 * Registers the proxies that SRV records (RFC 2782) name, per pool, and looks them up again at each interval. While a
 * service cannot be resolved, or resolves to nothing, its pool keeps its proxies: an outage of DNS must not become one of
 * ours, and health checks take out the proxies that are really gone.
 */
export class DnsSrvDiscoveryDuty extends PeriodicDuty {
  override readonly name = 'DNS discovery';
  private readonly discovered: DiscoveredProxies;
  private readonly lastFound = new Map<PoolName, readonly DiscoveredProxy[]>();
  private readonly failing = new Set<PoolName>();

  /** @param resolver asks the system's name servers by default */
  constructor(
    private readonly proxies: ProxyStore,
    private readonly settings: DnsSrvSettings,
    private readonly resolver: Pick<Resolver, 'resolveSrv'> = new Resolver({ timeout: 2000, tries: 2 }),
  ) {
    super();
    this.discovered = new DiscoveredProxies(proxies, 'dns_srv');
  }

  override async run({ signal }: LeaderTerm): Promise<void> {
    await this.recall();
    const discover = async (): Promise<void> => {
      await Promise.all([...this.settings.services].map(([pool, service]) => this.resolve(pool, service)));
      await this.discovered.replaceAll([...this.lastFound.values()].flat(), signal);
    };
    await this.repeat(signal, discover, this.settings.intervalMs);
  }

  /** Starts with the proxies that an earlier leader found, in case DNS is unreachable now. */
  private async recall(): Promise<void> {
    const known = (await this.proxies.list()).filter(
      ({ source, pool }) => source === 'dns_srv' && this.settings.services.has(pool),
    );
    this.lastFound.clear();
    for (const [pool, proxies] of Map.groupBy(known, (proxy) => proxy.pool)) {
      this.lastFound.set(
        pool,
        proxies.map(({ host, port, weight }) => toProxy(pool, host, port, weight)),
      );
    }
  }

  private async resolve(pool: PoolName, service: string): Promise<void> {
    try {
      const records = await this.resolver.resolveSrv(service);
      // RFC 2782: "A Target of "." means that the service is decidedly not available at this domain."
      const offered = records.filter(({ name }) => name !== '' && name !== '.');
      if (offered.length === 0) {
        throw new Error('no records');
      }
      this.lastFound.set(pool, toProxies(pool, usable(offered)));
      this.failing.delete(pool);
    } catch (error) {
      if (!this.failing.has(pool)) {
        this.failing.add(pool);
        this.logger.warn(`${service} could not be resolved; pool "${pool}" keeps its proxies`, error);
      }
    }
  }
}

/** RFC 2782: only the targets with the lowest priority number are used while any of them can be reached. */
function usable(records: readonly SrvRecord[]): readonly SrvRecord[] {
  const best = Math.min(...records.map(({ priority }) => priority));
  return records.filter(({ priority }) => priority === best);
}

/** RFC 2782 has weights from 0 ("very small chance") to 65,535; ours go from 1 to 256, in the same proportion. */
function toProxies(pool: PoolName, records: readonly SrvRecord[]): DiscoveredProxy[] {
  const heaviest = Math.max(...records.map(({ weight }) => weight));
  const scale = heaviest > MAX_WEIGHT ? MAX_WEIGHT / heaviest : 1;
  return records.map(({ name, port, weight }) => toProxy(pool, name, port, Math.max(1, Math.round(weight * scale))));
}

function toProxy(pool: PoolName, host: string, port: number, weight: number): DiscoveredProxy {
  return { pool, host, port, weight };
}
