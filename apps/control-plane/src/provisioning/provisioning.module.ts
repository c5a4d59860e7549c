import { Module, type OnModuleInit } from '@nestjs/common';
import { BACKEND_KINDS, Store, type BackendKind } from '@palisade/domain';
import { Metrics } from '@palisade/platform';
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
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { store, registry, settings, metrics } = this;
    const repairs = new Map(BACKEND_KINDS.map((backend) => [backend, 0]));
    // Every series exists from the start, so that the first repair counts as an increase.
    metrics.counter({
      name: 'control_plane_provisioning_repairs_total',
      help: 'Tenants whose credentials or permissions on a backend were not as provisioned, and were repaired.',
      labelNames: ['backend'],
      read: () => [...repairs].map(([backend, count]) => [{ backend }, count]),
    });
    if ([...settings.backends.values()].some(({ provisioning }) => provisioning !== undefined)) {
      const onRepair = (backend: BackendKind): void => void repairs.set(backend, (repairs.get(backend) ?? 0) + 1);
      this.leadership.assign(new ProvisioningDuty(store, registry, () => openBackends(settings), onRepair));
    }
  }
}

/** Loads the clients of backends only here: they double the time that a start takes. */
async function openBackends(settings: ControlPlaneSettings): Promise<readonly ProvisionedBackend[]> {
  const { createProvisioners } = await import('./create-provisioners.js');
  return createProvisioners(settings);
}
