import { Injectable } from '@nestjs/common';
import type { LeaseStore } from '@palisade/domain';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { KubernetesCluster } from './kubernetes-cluster.js';
import { KubernetesLeaseStore } from './kubernetes-lease-store.js';

const PREFIX = 'palisade-';

/** What the configuration demands of the leader besides the lease in the store. */
@Injectable()
export class KubernetesLeases {
  /** To be held before, and with, the one in the store; empty unless leadership is to be a Lease of the cluster too. */
  readonly stores: readonly LeaseStore[];

  constructor({ kubernetes }: ControlPlaneSettings, { api }: KubernetesCluster) {
    this.stores =
      api !== undefined && kubernetes?.leaderElection === true
        ? [new KubernetesLeaseStore(api, { namespace: kubernetes.namespace, prefix: PREFIX })]
        : [];
  }
}
