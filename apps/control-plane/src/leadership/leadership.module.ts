import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Module } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { ControlPlaneConfig } from '../config/control-plane.config.js';
import { KubernetesModule } from '../kubernetes/kubernetes.module.js';
import { KubernetesLeases } from '../kubernetes/kubernetes-leases.js';
import { Leadership } from './leadership.js';

const LEASE_NAME = 'control-plane';
/** A leader that has vanished keeps the others waiting that long. */
const LEASE_TTL_MS = 5000;

@Module({
  imports: [KubernetesModule],
  providers: [
    { provide: Leadership, inject: [Store, KubernetesLeases, ControlPlaneConfig], useFactory: createLeadership },
  ],
  exports: [Leadership],
})
export class LeadershipModule {}

function createLeadership({ leases }: Store, cluster: KubernetesLeases, { mayLead }: ControlPlaneConfig): Leadership {
  const holder = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  return new Leadership([...cluster.stores, leases], { name: LEASE_NAME, holder, ttlMs: LEASE_TTL_MS, mayLead });
}
