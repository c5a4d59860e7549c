import { once } from 'node:events';
import type { ProxyStore } from '@palisade/domain';
import { LeaderDuty, type LeaderTerm } from '../leadership/leader-duty.js';
import type { StaticProxy } from '../config/control-plane-settings.js';
import { DiscoveredProxies } from './discovered-proxies.js';

/** Has the proxies that the configuration lists, and no others of this source. An empty list removes those of earlier configurations. */
export class StaticDiscoveryDuty extends LeaderDuty {
  override readonly name = 'static discovery';
  private readonly discovered: DiscoveredProxies;

  constructor(
    proxies: ProxyStore,
    private readonly listed: readonly StaticProxy[],
  ) {
    super();
    this.discovered = new DiscoveredProxies(proxies, 'static');
  }

  override async run({ signal }: LeaderTerm): Promise<void> {
    await this.discovered.replaceAll(this.listed, signal);
    if (!signal.aborted) {
      await once(signal, 'abort');
    }
  }
}
