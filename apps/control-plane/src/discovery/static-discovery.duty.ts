import { once } from 'node:events';
import type { ProxySource, ProxyStore } from '@palisade/domain';
import { LeaderDuty, type LeaderTerm } from '../leadership/leader-duty.js';
import { DiscoveredProxies, type DiscoveredProxy } from './discovered-proxies.js';

/** Keeps the proxies of one source exactly as listed. An empty list removes those of an earlier configuration. */
export class StaticDiscoveryDuty extends LeaderDuty {
  override readonly name: string;
  private readonly discovered: DiscoveredProxies;

  constructor(
    proxies: ProxyStore,
    source: ProxySource,
    private readonly listed: readonly DiscoveredProxy[],
  ) {
    super();
    this.name = `fixed list of ${source} proxies`;
    this.discovered = new DiscoveredProxies(proxies, source);
  }

  override async run({ signal }: LeaderTerm): Promise<void> {
    await this.discovered.replaceAll(this.listed, signal);
    if (!signal.aborted) {
      await once(signal, 'abort');
    }
  }
}
