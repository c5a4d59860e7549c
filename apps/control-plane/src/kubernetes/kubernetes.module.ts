import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { Metrics } from '@palisade/platform';
import { ControlPlaneSettings, type KubernetesSettings } from '../config/control-plane-settings.js';
import { Leadership } from '../leadership/leadership.js';
import { LeadershipModule } from '../leadership/leadership.module.js';
import { Registry } from '../routing/table/registry.js';
import { RegistryModule } from '../routing/table/registry.module.js';
import { ClusterAccess } from './api/cluster-access.js';
import { KubernetesApi } from './api/kubernetes-api.js';
import { KubernetesReport } from './api/kubernetes-report.js';
import { registerWatchMetrics } from './api/watch-metrics.js';
import { KubernetesLeaseStore } from './kubernetes-lease-store.js';
import { PodDiscoveryDuty } from './pod-discovery.duty.js';
import { PrismTenantsDuty } from './tenants/prism-tenants.duty.js';

const LEASE_PREFIX = 'palisade-';

/**
 * Tenants, proxies and leadership from the Kubernetes cluster of the configuration, if it names one. Nothing is sent to the
 * cluster before this replica stands for election or leads.
 */
@Module({ imports: [LeadershipModule, RegistryModule] })
export class KubernetesModule implements OnModuleInit, OnApplicationShutdown {
  private api: KubernetesApi | undefined;

  constructor(
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly settings: ControlPlaneSettings,
    private readonly leadership: Leadership,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { kubernetes } = this.settings;
    if (kubernetes === undefined) {
      return;
    }
    this.api = new KubernetesApi(new ClusterAccess(kubernetes.kubeconfigFile));
    if (kubernetes.leaderElection) {
      const { namespace } = kubernetes;
      this.leadership.alsoHold(new KubernetesLeaseStore(this.api, { namespace, prefix: LEASE_PREFIX }));
    }
    const duties = this.createDuties(this.api, kubernetes);
    duties.forEach((duty) => this.leadership.assign(duty));
    if (duties.length > 0) {
      const watches = duties.map(({ watch }) => watch);
      registerWatchMetrics(this.metrics, watches);
    }
  }

  onApplicationShutdown(): void {
    this.api?.close();
  }

  private createDuties(
    api: KubernetesApi,
    { namespace, watchTenants }: KubernetesSettings,
  ): (PrismTenantsDuty | PodDiscoveryDuty)[] {
    const { store, registry, settings } = this;
    const { discovery, pools } = settings;
    const report = new KubernetesReport(store.operations);
    const tenants = watchTenants ? [new PrismTenantsDuty(store, registry, api, report, { settings, namespace })] : [];
    const pods =
      discovery?.type === 'kubernetes'
        ? [new PodDiscoveryDuty(store.proxies, api, report, { ...discovery, namespace, pools })]
        : [];
    return [...tenants, ...pods];
  }
}
