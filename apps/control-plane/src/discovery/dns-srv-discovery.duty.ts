import { Resolver } from 'node:dns/promises';
import type { SrvRecord } from 'node:dns';
import { Logger } from '@nestjs/common';
import { StoreUnavailableError, type PoolName, type ProxyStore } from '@palisade/domain';
import { pause } from '@palisade/async';
import { LeaderDuty, type LeaderTerm } from '../leadership/leader-duty.js';
import type { DiscoverySettings } from '../config/control-plane-settings.js';
import { DiscoveredProxies, type DiscoveredProxy } from './discovered-proxies.js';

export type DnsSrvSettings = Extract<DiscoverySettings, { type: 'dns_srv' }>;

const MAX_WEIGHT = 256;

/**
 * Has the proxies that SRV records (RFC 2782) name, per pool, asked for anew at each interval. A service that cannot be
 * resolved, or resolves to nothing, leaves the proxies of its pool as they are: an outage of DNS is none of ours, and
 * health checks take out what is really gone.
 */
export class DnsSrvDiscoveryDuty extends LeaderDuty {
  override readonly name = 'DNS discovery';
  private readonly logger = new Logger(DnsSrvDiscoveryDuty.name);
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
    while (!signal.aborted) {
      await Promise.all([...this.settings.services].map(([pool, service]) => this.resolve(pool, service)));
      try {
        await this.discovered.replaceAll([...this.lastFound.values()].flat(), signal);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) {
          throw error;
        }
        this.logger.warn('what DNS says cannot be kept', error);
      }
      await pause(this.settings.intervalMs, signal);
    }
  }

  /** What an earlier leader found, should DNS be away now. */
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
