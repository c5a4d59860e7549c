import { Module, type OnModuleInit } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { Leadership } from '../leadership/leadership.js';
import { LeadershipModule } from '../leadership/leadership.module.js';
import { DnsSrvDiscoveryDuty } from './dns-srv-discovery.duty.js';
import { StaticDiscoveryDuty } from './static-discovery.duty.js';

/** Proxies that the configuration lists or that DNS names; the Kubernetes module adds those that are pods. */
@Module({ imports: [LeadershipModule] })
export class DiscoveryModule implements OnModuleInit {
  constructor(
    private readonly store: Store,
    private readonly settings: ControlPlaneSettings,
    private readonly leadership: Leadership,
  ) {}

  onModuleInit(): void {
    const { discovery } = this.settings;
    const { proxies } = this.store;
    const listed =
      discovery?.type === 'static'
        ? discovery.proxies.map(({ endpoint, ...proxy }) => ({ ...proxy, ...endpoint }))
        : [];
    // Without a list it removes what an earlier configuration listed.
    this.leadership.assign(new StaticDiscoveryDuty(proxies, 'static', listed));
    if (discovery?.type === 'dns_srv') {
      this.leadership.assign(new DnsSrvDiscoveryDuty(proxies, discovery));
    }
    if (discovery?.type !== 'kubernetes') {
      this.leadership.assign(new StaticDiscoveryDuty(proxies, 'kubernetes', []));
    }
  }
}
