import { once } from 'node:events';
import type { ProxyStore } from '@palisade/domain';
import { DiscoveredProxies } from '../discovery/discovered-proxies.js';
import { LeaderDuty, type LeaderTerm } from '../leadership/leader-duty.js';

/** Removes the proxies that pods were, for configurations that do not look for pods any more. */
export class ForgetPodsDuty extends LeaderDuty {
  override readonly name = 'forgetting pods';
  private readonly discovered: DiscoveredProxies;

  constructor(proxies: ProxyStore) {
    super();
    this.discovered = new DiscoveredProxies(proxies, 'kubernetes');
  }

  override async run({ signal }: LeaderTerm): Promise<void> {
    await this.discovered.replaceAll([], signal);
    if (!signal.aborted) {
      await once(signal, 'abort');
    }
  }
}
