import { BACKEND_KINDS, type BackendKind } from '@palisade/domain';
import type {
  BackendIsolation,
  BackendSettings,
  ControlPlaneSettings,
  IsolationDefaults,
  PoolDefinition,
  Resources,
} from '../../config/control-plane-settings.js';
import type { BackendIsolationSection, BackendSection } from '../dto/backends.dto.js';
import type { ControlPlaneFile } from '../dto/control-plane-file.js';
import { ISOLATION_LEVEL, REPLICAS, type ResourcesSection } from '../dto/deployment.dto.js';
import { SESSION_TIMEOUT } from '../dto/isolation.dto.js';
import { AUDIT_LOCATION, HOST_PORT } from '../kinds/addresses.js';
import { read, readOptional } from '../kinds/kind.js';
import { NAME_FORMAT } from '../kinds/name-formats.js';
import { POOL_NAME, SQL_IDENTIFIER, TENANT_ID } from '../kinds/names.js';
import { CPU, MEMORY } from '../kinds/quantities.js';
import { backendsWith, isolationSettingsFor } from './isolation-settings.js';
import { toDiscovery, toDns, toHealth, toKubernetes, toLoadBalancer } from './operations.mapper.js';
import { toProvisioning } from './provisioning.mapper.js';
import { toConnectionPools, toRouting } from './routing.mapper.js';

/** The settings that a completed file stands for. */
export function toSettings(file: ControlPlaneFile, warnings: readonly string[]): ControlPlaneSettings {
  const { deployment, proxy, cluster, compliance, observability } = file;
  return {
    deployment: {
      model: deployment.model,
      tenantId: readOptional(TENANT_ID, deployment.tenant_id),
      controlPlane: deployment.control_plane,
    },
    listen: readOptional(HOST_PORT, file.control_plane?.listen_addr),
    proxy: {
      replicas: proxy.replicas,
      resources:
        proxy.resources?.cpu !== undefined && proxy.resources.memory !== undefined
          ? toResources(proxy.resources)
          : undefined,
      isolationLevel: proxy.isolation_level ?? file.isolation_level,
    },
    cluster: { mode: cluster.mode, loadBalancer: cluster.load_balancer },
    backends: toBackends(file),
    observability: {
      metricsEndpoint: observability.metrics_endpoint,
      tracesEndpoint: observability.traces_endpoint,
      logsEndpoint: observability.logs_endpoint,
      tenantLabel: observability.tenant_label,
    },
    compliance: {
      frameworks: compliance.frameworks,
      piiEncryption: compliance.pii_encryption,
      auditRetentionDays: compliance.audit_retention_days,
    },
    pools: new Map(toPools(file).map((pool) => [pool.name, pool])),
    routing: toRouting(file),
    loadBalancer: file.load_balancer && toLoadBalancer(file.load_balancer),
    discovery: file.service_discovery && toDiscovery(file.service_discovery),
    dns: file.dns && toDns(file.dns),
    kubernetes: file.kubernetes && toKubernetes(file.kubernetes),
    health: toHealth(file.health_checks),
    isolation: toIsolation(file),
    auditBackend: readOptional(AUDIT_LOCATION, file.audit_backend),
    warnings,
  };
}

function toResources({ cpu, memory }: ResourcesSection): Resources {
  return { cpu: read(CPU, cpu), memoryBytes: read(MEMORY, memory) };
}

function toPools(file: ControlPlaneFile): PoolDefinition[] {
  return [...file.proxy_pools].map(([name, { replicas, resources, isolation_level: level }]) => {
    const isolationLevel = read(ISOLATION_LEVEL, level);
    const hasLimits = backendsWith(isolationLevel, file).length > 0;
    return {
      name: read(POOL_NAME, name),
      replicas: read(REPLICAS, replicas),
      resources: toResources(resources ?? {}),
      isolationLevel,
      isolationSettings: hasLimits ? isolationSettingsFor(isolationLevel, file) : undefined,
    };
  });
}

function toBackends({ backends }: ControlPlaneFile): ReadonlyMap<BackendKind, BackendSettings> {
  return new Map(
    BACKEND_KINDS.flatMap((kind): [BackendKind, BackendSettings][] => {
      const backend = backends[kind];
      return backend === undefined ? [] : [[kind, toBackend(kind, backend)]];
    }),
  );
}

function toBackend(kind: BackendKind, backend: BackendSection): BackendSettings {
  const { endpoint, isolation, ssl_mode: sslMode, client_cert_auth: clientCertAuth, provisioning } = backend;
  return {
    endpoint: read(HOST_PORT, endpoint),
    isolation: toIsolationOf(isolation),
    sslMode,
    clientCertAuth,
    provisioning: provisioning && toProvisioning(kind, provisioning),
  };
}

function toIsolationOf(section: BackendIsolationSection | undefined): BackendIsolation {
  const { type = 'physical', format, tenant_column: column }: Partial<BackendIsolationSection> = section ?? {};
  switch (type) {
    case 'physical':
      return { type };
    case 'row_level_security':
      return { type, tenantColumn: read(SQL_IDENTIFIER, column) };
    case 'keyspace_prefix':
    case 'subject_hierarchy':
    case 'topic_prefix':
      return { type, format: read(NAME_FORMAT, format) };
    default:
      return type satisfies never;
  }
}

function toIsolation(file: ControlPlaneFile): IsolationDefaults {
  const { cpu, memory, max_rps: maxRps } = file.resource_limits?.per_namespace ?? {};
  const { session_management: sessions, audit } = file;
  return {
    connectionPools: toConnectionPools(file.connection_pools),
    resourceLimits: { cpu: cpu?.toString(), memory: memory?.toString(), maxRps },
    sessions: {
      maxSessions: sessions?.max_sessions,
      sessionTimeoutMs: readOptional(SESSION_TIMEOUT, sessions?.session_timeout),
    },
    audit: {
      logsConnections: audit?.log_connection_lifecycle ?? false,
      logsSessions: audit?.log_session_lifecycle ?? false,
    },
  };
}
