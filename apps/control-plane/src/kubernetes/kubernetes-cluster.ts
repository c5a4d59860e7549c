import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { ClusterAccess } from './api/cluster-access.js';
import { KubernetesApi } from './api/kubernetes-api.js';

/** The cluster that the configuration names. Nothing is sent to it before somebody asks. */
@Injectable()
export class KubernetesCluster implements OnApplicationShutdown {
  /** Absent when the configuration names none. */
  readonly api?: KubernetesApi;

  constructor({ kubernetes }: ControlPlaneSettings) {
    if (kubernetes !== undefined) {
      this.api = new KubernetesApi(new ClusterAccess(kubernetes.kubeconfigFile));
    }
  }

  onApplicationShutdown(): void {
    this.api?.close();
  }
}
