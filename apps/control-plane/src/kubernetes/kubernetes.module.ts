import { Module } from '@nestjs/common';
import { RegistryModule } from '../routing/table/registry.module.js';
import { KubernetesCluster } from './kubernetes-cluster.js';
import { KubernetesDuties } from './kubernetes-duties.js';
import { KubernetesLeases } from './kubernetes-leases.js';

/** Tenants, proxies and leadership from a cluster of Kubernetes. {@link KubernetesDuties} are for the leader. */
@Module({
  imports: [RegistryModule],
  providers: [KubernetesCluster, KubernetesDuties, KubernetesLeases],
  exports: [KubernetesDuties, KubernetesLeases],
})
export class KubernetesModule {}
