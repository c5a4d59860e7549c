import { Injectable } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { Metrics } from '@palisade/platform';
import type { LeaderDuty } from '../leadership/leader-duty.js';
import { Registry } from '../routing/table/registry.js';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { KubernetesCluster } from './kubernetes-cluster.js';
import { KubernetesReport } from './api/kubernetes-report.js';
import { ForgetPodsDuty } from './forget-pods.duty.js';
import { PodDiscoveryDuty } from './pod-discovery.duty.js';
import { PrismTenantsDuty } from './tenants/prism-tenants.duty.js';
import { registerWatchMetrics } from './api/watch-metrics.js';

/** What the leader does with the cluster, as the configuration has it. */
@Injectable()
export class KubernetesDuties {
  readonly all: readonly LeaderDuty[];

  constructor(
    store: Store,
    registry: Registry,
    settings: ControlPlaneSettings,
    { api }: KubernetesCluster,
    metrics: Metrics,
  ) {
    const { kubernetes, discovery } = settings;
    const report = new KubernetesReport(store.operations);
    const watching: (PrismTenantsDuty | PodDiscoveryDuty)[] = [];
    if (kubernetes !== undefined && api !== undefined) {
      const { namespace, watchTenants } = kubernetes;
      if (watchTenants) {
        watching.push(new PrismTenantsDuty(store, registry, api, report, { settings, namespace }));
      }
      if (discovery?.type === 'kubernetes') {
        const options = { ...discovery, namespace, pools: settings.pools };
        watching.push(new PodDiscoveryDuty(store.proxies, api, report, options));
      }
    }
    if (watching.length > 0) {
      registerWatchMetrics(
        metrics.registry,
        watching.map(({ watch }) => watch),
      );
    }
    this.all = discovery?.type === 'kubernetes' ? watching : [...watching, new ForgetPodsDuty(store.proxies)];
  }
}
