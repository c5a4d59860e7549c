import type {
  DiscoverySettings,
  DnsSettings,
  HealthSettings,
  KubernetesSettings,
  LoadBalancerSettings,
} from '../../config/control-plane-settings.js';
import {
  DISCOVERY_TYPE,
  type DnsSection,
  type KubernetesSection,
  type ServiceDiscoverySection,
} from '../dto/discovery.dto.js';
import type { LoadBalancerSection } from '../dto/load-balancer.dto.js';
import type { HealthChecksSection } from '../dto/operations.dto.js';
import { HOST_PORT } from '../kinds/addresses.js';
import { ANY_DURATION } from '../kinds/basic-kinds.js';
import { COMMAND } from '../kinds/command.js';
import { LABEL_SELECTOR } from '../kinds/conditions.js';
import { PROGRAM } from '../kinds/files.js';
import { read, readOptional } from '../kinds/kind.js';
import { DNS_NAME, HEADER_NAME, KUBERNETES_LABEL, POOL_NAME, PORT_NAME } from '../kinds/names.js';

export function toLoadBalancer(section: LoadBalancerSection): LoadBalancerSettings {
  return {
    type: section.type,
    configPath: section.config_path,
    reloadCommand: readOptional(COMMAND, section.reload_command),
    bind: read(HOST_PORT, section.bind),
    certificateFile: section.certificate_file,
    masterSocket: section.master_socket,
    runtimeSocket: section.runtime_socket,
    binary: read(PROGRAM, section.binary),
    namespaceHeader: read(HEADER_NAME, section.namespace_header),
    namespaceSource: section.namespace_source,
    coalesceMs: read(ANY_DURATION, section.coalesce),
    commandTimeoutMs: read(ANY_DURATION, section.command_timeout),
    driftIntervalMs: read(ANY_DURATION, section.drift_interval),
  };
}

export function toDiscovery(section: ServiceDiscoverySection): DiscoverySettings {
  const type = read(DISCOVERY_TYPE, section.type);
  switch (type) {
    case 'static':
      return { type, proxies: (section.proxies ?? []).map(toStaticProxy) };
    case 'dns_srv': {
      const services = [...(section.services ?? [])];
      return {
        type,
        services: new Map(services.map(([pool, name]) => [read(POOL_NAME, pool), read(DNS_NAME, name)])),
        intervalMs: read(ANY_DURATION, section.interval),
      };
    }
    case 'kubernetes':
      return {
        type,
        labelSelector: read(LABEL_SELECTOR, section.label_selector),
        poolLabel: read(KUBERNETES_LABEL, section.pool_label),
        portName: read(PORT_NAME, section.port_name),
      };
    default:
      return type satisfies never;
  }
}

export function toDns(section: DnsSection): DnsSettings {
  return {
    server: read(HOST_PORT, section.server),
    zone: read(DNS_NAME, section.zone),
    keyName: read(DNS_NAME, section.key_name),
    keyAlgorithm: section.key_algorithm,
    keySecretFile: section.key_secret_file,
    ttlSeconds: read(ANY_DURATION, section.ttl) / 1000,
    timeoutMs: read(ANY_DURATION, section.timeout),
  };
}

export function toKubernetes(section: KubernetesSection): KubernetesSettings {
  return {
    namespace: section.namespace,
    kubeconfigFile: section.kubeconfig_file,
    watchTenants: section.watch_tenants,
    leaderElection: section.leader_election,
  };
}

export function toHealth(section: HealthChecksSection): HealthSettings {
  return {
    path: section.path,
    intervalMs: read(ANY_DURATION, section.interval),
    timeoutMs: read(ANY_DURATION, section.timeout),
    rise: section.rise,
    fall: section.fall,
    panicThresholdPercent: section.panic_threshold,
    heartbeatTimeoutMs: read(ANY_DURATION, section.heartbeat_timeout),
    forgetAfterMs: read(ANY_DURATION, section.forget_after),
  };
}

function toStaticProxy({ pool, endpoint, weight }: NonNullable<ServiceDiscoverySection['proxies']>[number]) {
  return { pool: read(POOL_NAME, pool), ...read(HOST_PORT, endpoint), weight };
}
