import { BACKEND_KINDS } from '@palisade/domain';
import { findFramework } from '../../config/frameworks.js';
import { BackendIsolationSection, BackendSection, BackendsSection } from '../dto/backends.dto.js';
import { ControlPlaneFile } from '../dto/control-plane-file.js';
import { ProxyPoolSection, ResourcesSection } from '../dto/deployment.dto.js';
import { DISCOVERY_TYPE, KubernetesSection, ServiceDiscoverySection } from '../dto/discovery.dto.js';
import { LoadBalancerSection } from '../dto/load-balancer.dto.js';
import { ComplianceSection } from '../dto/operations.dto.js';
import { COMMAND } from '../kinds/command.js';
import { read, readOptional } from '../kinds/kind.js';
import { NAMED_BACKENDS } from '../kinds/name-formats.js';
import { isolationTypeOf } from './backend-isolation.js';
import { resolveDefaultPool, resolvePools } from './resolve-pools.js';

const DEFAULT_TENANT_COLUMN = 'tenant_id';
const DEFAULT_POOL_LABEL = 'prism.io/pool';
const DEFAULT_PORT_NAME = 'proxy';
const DEFAULT_LOOKUP_INTERVAL = '10s';

/** A checked file, with everything said that follows from what it says; it means the same. */
export function completeFile(file: ControlPlaneFile): ControlPlaneFile {
  return copy(ControlPlaneFile, file, {
    proxy_pools: completePools(file),
    backends: completeBackends(file),
    default_pool: resolveDefaultPool(file),
    control_plane: file.control_plane ?? file.prism_bridge,
    prism_bridge: undefined,
    load_balancer: file.load_balancer && completeLoadBalancer(file.load_balancer),
    service_discovery: file.service_discovery && completeDiscovery(file.service_discovery),
    kubernetes: completeKubernetes(file),
    namespace_routing: file.namespace_routing.map(({ namespace, pool, weight = 1 }) => ({ namespace, pool, weight })),
    compliance: copy(ComplianceSection, file.compliance, {
      frameworks: file.compliance.frameworks.map((written) => findFramework(written)?.name ?? written),
    }),
  });
}

/** An instance with the values of another one, some of them replaced. */
function copy<T extends object>(section: new () => T, original: T, replaced: Partial<T>): T {
  return Object.assign(new section(), original, replaced);
}

function completePools(file: ControlPlaneFile): ReadonlyMap<string, ProxyPoolSection> {
  return new Map(
    [...resolvePools(file)].map(([name, { replicas, cpu, memory, isolationLevel }]) => [
      name,
      copy(ProxyPoolSection, new ProxyPoolSection(), {
        replicas,
        resources: copy(ResourcesSection, new ResourcesSection(), { cpu, memory }),
        isolation_level: isolationLevel,
      }),
    ]),
  );
}

function completeBackends(file: ControlPlaneFile): BackendsSection {
  const completed = BACKEND_KINDS.map((kind) => {
    const backend = file.backends[kind];
    const type = isolationTypeOf(file.deployment.model, kind);
    const { format, tenant_column: column = DEFAULT_TENANT_COLUMN } =
      backend?.isolation ?? new BackendIsolationSection();
    const isolation = copy(BackendIsolationSection, new BackendIsolationSection(), {
      type,
      ...(type === 'row_level_security' && { enable_rls: true, tenant_column: column }),
      ...(type === NAMED_BACKENDS[kind]?.type && { format: format ?? NAMED_BACKENDS[kind]?.defaultFormat }),
    });
    return [kind, backend && copy(BackendSection, backend, { isolation })] as const;
  });
  return copy(BackendsSection, new BackendsSection(), Object.fromEntries(completed));
}

function completeLoadBalancer(section: LoadBalancerSection): LoadBalancerSection {
  return copy(LoadBalancerSection, section, {
    binary: section.binary ?? section.type,
    reload_command: readOptional(COMMAND, section.reload_command),
  });
}

function completeDiscovery(section: ServiceDiscoverySection): ServiceDiscoverySection {
  const type = read(DISCOVERY_TYPE, section.type);
  return copy(ServiceDiscoverySection, section, {
    type,
    ...(type === 'dns_srv' && { interval: section.interval ?? DEFAULT_LOOKUP_INTERVAL }),
    ...(type === 'kubernetes' && {
      pool_label: section.pool_label ?? DEFAULT_POOL_LABEL,
      port_name: section.port_name ?? DEFAULT_PORT_NAME,
    }),
  });
}

/** Discovery needs the cluster; that alone does not make it a place where tenants are looked for. */
function completeKubernetes({
  kubernetes,
  service_discovery: discovery,
}: ControlPlaneFile): KubernetesSection | undefined {
  const isNeeded = discovery !== undefined && read(DISCOVERY_TYPE, discovery.type) === 'kubernetes';
  return (
    kubernetes ?? (isNeeded ? copy(KubernetesSection, new KubernetesSection(), { watch_tenants: false }) : undefined)
  );
}
