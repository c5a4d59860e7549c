import { Module, type OnModuleInit } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { Metrics } from '@palisade/platform';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { Leadership } from '../leadership/leadership.js';
import { LeadershipModule } from '../leadership/leadership.module.js';
import { DnsDuty } from './dns.duty.js';

/** The names of pools in the zone of the configuration, if it has one. */
@Module({ imports: [LeadershipModule] })
export class DnsModule implements OnModuleInit {
  constructor(
    private readonly store: Store,
    private readonly settings: ControlPlaneSettings,
    private readonly leadership: Leadership,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { dns, pools, health } = this.settings;
    if (dns !== undefined) {
      const { panicThresholdPercent } = health;
      const duty = new DnsDuty(this.store, { settings: dns, pools: [...pools.keys()], panicThresholdPercent });
      this.leadership.assign(duty);
      registerDnsMetrics(this.metrics, duty);
    }
  }
}

/** Registers the counter of updates. Only the leader updates names, so only its numbers grow. */
export function registerDnsMetrics(metrics: Metrics, { updates }: Pick<DnsDuty, 'updates'>): void {
  metrics.counter({
    name: 'control_plane_dns_updates_total',
    help: 'Attempts to update the name of a pool, by result.',
    labelNames: ['result'],
    read: () => Object.entries(updates).map(([result, count]) => [{ result }, count] as const),
  });
}
