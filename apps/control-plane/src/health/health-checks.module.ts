import { Module, type OnModuleInit } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { Leadership } from '../leadership/leadership.js';
import { LeadershipModule } from '../leadership/leadership.module.js';
import { HealthChecksDuty } from './health-checks.duty.js';

/** The health of proxies. */
@Module({ imports: [LeadershipModule] })
export class HealthChecksModule implements OnModuleInit {
  constructor(
    private readonly store: Store,
    private readonly settings: ControlPlaneSettings,
    private readonly leadership: Leadership,
  ) {}

  onModuleInit(): void {
    this.leadership.assign(new HealthChecksDuty(this.store.proxies, this.settings.health));
  }
}
