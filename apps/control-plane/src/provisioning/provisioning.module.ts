import { Module, type OnModuleInit } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { Leadership } from '../leadership/leadership.js';
import { LeadershipModule } from '../leadership/leadership.module.js';
import { Registry } from '../routing/table/registry.js';
import { RegistryModule } from '../routing/table/registry.module.js';
import type { ProvisionedBackend } from './backend-provisioning.js';
import { ProvisioningDuty } from './provisioning.duty.js';

/** Credentials and permissions of tenants on the backends that the configuration has the control plane administer. */
@Module({ imports: [LeadershipModule, RegistryModule] })
export class ProvisioningModule implements OnModuleInit {
  constructor(
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly settings: ControlPlaneSettings,
    private readonly leadership: Leadership,
  ) {}

  onModuleInit(): void {
    const { store, registry, settings } = this;
    if ([...settings.backends.values()].some(({ provisioning }) => provisioning !== undefined)) {
      this.leadership.assign(new ProvisioningDuty(store, registry, () => openBackends(settings)));
    }
  }
}

/** Loads the clients of backends only here: they double the time that a start takes. */
async function openBackends(settings: ControlPlaneSettings): Promise<readonly ProvisionedBackend[]> {
  const { createProvisioners } = await import('./create-provisioners.js');
  return createProvisioners(settings);
}
