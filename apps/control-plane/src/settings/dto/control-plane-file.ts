import type { IsolationLevel } from '@palisade/domain';
import { duration } from '../kinds/basic-kinds.js';
import { AUDIT_LOCATION } from '../kinds/addresses.js';
import { POOL_NAME } from '../kinds/names.js';
import { LongSectionList, NamedSections, Section, Setting } from '../sections/setting.decorator.js';
import { BackendsSection } from './backends.dto.js';
import {
  ClusterSection,
  DeploymentSection,
  ISOLATION_LEVEL,
  ProxyPoolSection,
  ProxySection,
} from './deployment.dto.js';
import { DnsSection, KubernetesSection, ServiceDiscoverySection } from './discovery.dto.js';
import {
  ConnectionPoolsSection,
  ResourceLimitsSection,
  ProxyAuditSection,
  SessionManagementSection,
} from './isolation.dto.js';
import { LoadBalancerSection } from './load-balancer.dto.js';
import { ComplianceSection, ControlPlaneSection, HealthChecksSection, ObservabilitySection } from './operations.dto.js';
import { NamespaceRouteSection, TenantRoutingSection } from './routing.dto.js';

/** The configuration file as it is written; what is absent has its default, or is undefined. */
export class ControlPlaneFile {
  @Section(() => DeploymentSection, 'What is deployed.')
  readonly deployment: DeploymentSection = new DeploymentSection();

  @Section(
    () => ProxySection,
    'What proxies have, unless their pool says otherwise. In `single_tenant` without `proxy_pools` it is the one pool, `dedicated`.',
  )
  readonly proxy: ProxySection = new ProxySection();

  @Section(() => ClusterSection, 'The cluster, for people.')
  readonly cluster: ClusterSection = new ClusterSection();

  @NamedSections(() => ProxyPoolSection, 'Pools of proxies, by name.', {
    names: POOL_NAME,
    maxItems: 1000,
    appliesTo: 'required in `multi_tenant` and `hybrid`',
  })
  readonly proxy_pools: ReadonlyMap<string, ProxyPoolSection> = new Map();

  @Section(() => BackendsSection, 'Backends that proxies give access to.')
  readonly backends: BackendsSection = new BackendsSection();

  @LongSectionList(() => NamespaceRouteSection, 'Pools of namespaces that belong to no registered tenant.', {
    maxItems: 1_000_000,
    appliesTo: '`multi_tenant`, `hybrid`',
  })
  readonly namespace_routing: readonly NamespaceRouteSection[] = [];

  @Section(() => TenantRoutingSection, 'Rules by which tenants get their pool.', { appliesTo: '`hybrid`' })
  readonly tenant_routing?: TenantRoutingSection;

  @Setting(POOL_NAME, 'Pool of everything that has no other; without one, such requests have no route.', {
    computedDefault: '`single_tenant`: the only pool, or one named like the tenant, or `dedicated`; else none',
  })
  readonly default_pool?: string;

  @Setting(duration('0s', '1d'), 'How long the pool that a tenant leaves may be busy for it.')
  readonly drain_timeout: string = '30s';

  @Section(() => ControlPlaneSection, 'The control plane itself.')
  readonly control_plane?: ControlPlaneSection;

  @Section(() => ControlPlaneSection, 'Another name of `control_plane`; only one of them may be there.')
  readonly prism_bridge?: ControlPlaneSection;

  @Section(() => LoadBalancerSection, 'The load balancer that the control plane configures; absent: none.')
  readonly load_balancer?: LoadBalancerSection;

  @Section(() => ServiceDiscoverySection, 'How proxies are found; absent: they register.')
  readonly service_discovery?: ServiceDiscoverySection;

  @Section(() => HealthChecksSection, 'How it is found out which proxies are well.')
  readonly health_checks: HealthChecksSection = new HealthChecksSection();

  @Section(() => DnsSection, 'DNS names of pools; absent: none are kept.')
  readonly dns?: DnsSection;

  @Section(() => KubernetesSection, 'The cluster of Kubernetes that the control plane works with; absent: none.')
  readonly kubernetes?: KubernetesSection;

  @Setting(
    ISOLATION_LEVEL,
    'Isolation level of each pool that does not say it itself; the same as `proxy.isolation_level`.',
  )
  readonly isolation_level?: IsolationLevel;

  @Section(() => ConnectionPoolsSection, 'Connections of one proxy to backends.')
  readonly connection_pools?: ConnectionPoolsSection;

  @Section(() => ResourceLimitsSection, 'What one proxy lets be used.')
  readonly resource_limits?: ResourceLimitsSection;

  @Section(() => SessionManagementSection, 'Sessions of one proxy.', { levels: ['session'] })
  readonly session_management?: SessionManagementSection;

  @Section(() => ProxyAuditSection, 'What proxies write into the audit trail.')
  readonly audit?: ProxyAuditSection;

  @Section(() => ObservabilitySection, 'Where the installation is observed.')
  readonly observability: ObservabilitySection = new ObservabilitySection();

  @Section(() => ComplianceSection, 'What the installation has to satisfy.')
  readonly compliance: ComplianceSection = new ComplianceSection();

  @Setting(AUDIT_LOCATION, 'Where action records are exported to.')
  readonly audit_backend?: string;
}
