import { Injectable, Optional } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { AuditDuty } from '../audit/audit.duty.js';
import { DnsSrvDiscoveryDuty } from '../discovery/dns-srv-discovery.duty.js';
import { StaticDiscoveryDuty } from '../discovery/static-discovery.duty.js';
import { DnsDuty } from '../dns/dns.duty.js';
import { HealthChecksDuty } from '../health/health-checks.duty.js';
import { KubernetesDuties } from '../kubernetes/kubernetes-duties.js';
import type { LeaderDuty } from '../leadership/leader-duty.js';
import { Leadership } from '../leadership/leadership.js';
import { LoadBalancerDuty } from '../load-balancer/load-balancer.duty.js';
import { LoadBalancer } from '../load-balancer/load-balancer.js';
import { Registry } from '../routing/table/registry.js';
import type { ProvisionedBackend } from '../provisioning/backend-provisioning.js';
import { ProvisioningDuty } from '../provisioning/provisioning.duty.js';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';

/** Gives the leader its duties, as the configuration has them. */
@Injectable()
export class LeaderDuties {
  /** Undefined when no zone is configured. */
  readonly dns: DnsDuty | undefined;

  constructor(
    leadership: Leadership,
    store: Store,
    settings: ControlPlaneSettings,
    registry: Registry,
    audit: AuditDuty,
    kubernetes: KubernetesDuties,
    @Optional() loadBalancer?: LoadBalancer,
  ) {
    this.dns = createDns(store, settings);
    const duties = [
      ...balancing(store, registry, settings, loadBalancer),
      new HealthChecksDuty(store.proxies, settings.health),
      ...discovery(store, settings),
      ...kubernetes.all,
      ...(this.dns === undefined ? [] : [this.dns]),
      ...provisioning(store, registry, settings),
      audit,
    ];
    duties.forEach((duty) => leadership.assign(duty));
  }
}

function balancing(
  store: Store,
  registry: Registry,
  { health, loadBalancer: configured }: ControlPlaneSettings,
  loadBalancer: LoadBalancer | undefined,
): LeaderDuty[] {
  return loadBalancer === undefined || configured === undefined
    ? []
    : [new LoadBalancerDuty(store, registry, loadBalancer, { health, driftIntervalMs: configured.driftIntervalMs })];
}

/** The static one runs in any case: it removes what an earlier configuration listed. */
function discovery({ proxies }: Store, settings: ControlPlaneSettings): LeaderDuty[] {
  const listed = settings.discovery?.type === 'static' ? settings.discovery.proxies : [];
  const dnsSrv = settings.discovery?.type === 'dns_srv' ? [new DnsSrvDiscoveryDuty(proxies, settings.discovery)] : [];
  return [new StaticDiscoveryDuty(proxies, listed), ...dnsSrv];
}

function createDns(store: Store, { dns, pools, health }: ControlPlaneSettings): DnsDuty | undefined {
  const { panicThresholdPercent } = health;
  return dns && new DnsDuty(store, { settings: dns, pools: [...pools.keys()], panicThresholdPercent });
}

/** The clients of backends are loaded only where they are needed: they double the time that a start takes. */
function provisioning(store: Store, registry: Registry, settings: ControlPlaneSettings): LeaderDuty[] {
  const isConfigured = [...settings.backends.values()].some((backend) => backend.provisioning !== undefined);
  const openBackends = async (): Promise<readonly ProvisionedBackend[]> => {
    const { createProvisioners } = await import('../provisioning/create-provisioners.js');
    return createProvisioners(settings);
  };
  return isConfigured ? [new ProvisioningDuty(store, registry, openBackends)] : [];
}
