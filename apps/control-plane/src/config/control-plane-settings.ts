import type {
  BackendKind,
  ConnectionPools,
  Deployment,
  IsolationLevel,
  JsonObject,
  NamespacePattern,
  PoolName,
  TenancyModel,
  TenantId,
  Tier,
} from '@palisade/domain';

/** What the configuration file says, checked and with defaults filled in; made once, before Nest starts. */
export abstract class ControlPlaneSettings {
  abstract readonly deployment: DeploymentSettings;
  /** Of the HTTP listener; what the environment says wins. */
  abstract readonly listen?: { readonly host: string; readonly port: number };
  abstract readonly proxy: ProxySettings;
  abstract readonly cluster: ClusterSettings;
  abstract readonly backends: ReadonlyMap<BackendKind, BackendSettings>;
  abstract readonly observability: ObservabilitySettings;
  abstract readonly compliance: ComplianceSettings;
  abstract readonly pools: ReadonlyMap<PoolName, PoolDefinition>;
  abstract readonly routing: RoutingSettings;
  abstract readonly loadBalancer?: LoadBalancerSettings;
  abstract readonly discovery?: DiscoverySettings;
  abstract readonly dns?: DnsSettings;
  abstract readonly kubernetes?: KubernetesSettings;
  abstract readonly health: HealthSettings;
  /** For proxies, by the isolation level that their pool has; document 2's isolation settings. */
  abstract readonly isolation: IsolationDefaults;
  /** `file:///…` or `s3://bucket/prefix`: where action records are exported to. */
  abstract readonly auditBackend?: URL;
  /** What the operator should be told: allowed, but probably not meant. */
  abstract readonly warnings: readonly string[];
}

export interface DeploymentSettings {
  readonly model: TenancyModel;
  /** Exactly when the model is `single_tenant`. */
  readonly tenantId?: TenantId;
  readonly controlPlane?: string;
}

export interface Resources {
  /** In cores. */
  readonly cpu: number;
  readonly memoryBytes: number;
}

export interface ProxySettings {
  readonly replicas?: number;
  readonly resources?: Resources;
  readonly isolationLevel?: IsolationLevel;
}

export interface ClusterSettings {
  readonly mode?: string;
  readonly loadBalancer?: string;
}

export type BackendIsolation =
  | { readonly type: 'physical' }
  /** With `{tenant_id}` and `{key}`, `{subject}` or `{topic}`. */
  | { readonly type: 'keyspace_prefix' | 'subject_hierarchy' | 'topic_prefix'; readonly format: string }
  | { readonly type: 'row_level_security'; readonly tenantColumn: string };

export interface BackendSettings {
  readonly endpoint: { readonly host: string; readonly port: number };
  readonly isolation: BackendIsolation;
  readonly sslMode?: 'disable' | 'require' | 'verify-ca' | 'verify-full';
  readonly clientCertAuth?: boolean;
  /** How the control plane administers the backend for tenants; absent: it does not. */
  readonly provisioning?: BackendProvisioningSettings;
}

/** How one kind of backend is administered. */
export type BackendProvisioningSettings =
  | (AdministeredBackend & {
      readonly kind: 'postgres';
      /** Tables with the tenant column, as `schema.table`. */
      readonly tables: readonly string[];
    })
  | (AdministeredBackend & { readonly kind: 'redis'; readonly savesAclFile: boolean })
  | (AdministeredBackend & { readonly kind: 'kafka' })
  | NatsProvisioningSettings;

export type ProvisioningOf<K extends BackendKind> = Extract<BackendProvisioningSettings, { readonly kind: K }>;

interface TenantCredentialSettings {
  /** A file whose content is the secret that credentials of tenants are derived from. */
  readonly tenantSecretFile: string;
}

interface AdministeredBackend extends TenantCredentialSettings {
  /** A file whose content is the URL to connect with as an administrator. */
  readonly adminUrlFile: string;
}

export interface NatsProvisioningSettings extends TenantCredentialSettings {
  readonly kind: 'nats';
  /** The file that the servers' configuration includes. */
  readonly file: string;
  /** Argument vectors; never go through a shell. */
  readonly reloadCommand: readonly [string, ...string[]];
  readonly checkCommand?: readonly [string, ...string[]];
  readonly monitorUrl?: string;
}

export interface ObservabilitySettings {
  readonly metricsEndpoint?: string;
  readonly tracesEndpoint?: string;
  readonly logsEndpoint?: string;
  readonly tenantLabel: string;
}

export interface ComplianceSettings {
  readonly frameworks: readonly string[];
  readonly piiEncryption: boolean;
  readonly auditRetentionDays: number;
}

export interface PoolDefinition {
  readonly name: PoolName;
  readonly replicas: number;
  readonly resources: Resources;
  readonly isolationLevel: IsolationLevel;
  /** What a proxy of the pool gives `parseIsolationSettings`; absent when the file says nothing of connections. */
  readonly isolationSettings?: JsonObject;
}

export interface NamespaceRoute {
  readonly pattern: NamespacePattern;
  readonly pool: PoolName;
  /** 1 or more; entries of the same pattern share its namespaces in this proportion. */
  readonly weight: number;
}

export interface RevenueCondition {
  readonly operator: '>' | '>=' | '<' | '<=' | '==';
  readonly amount: number;
}

export interface RoutingRule {
  readonly match: {
    readonly tier?: Tier;
    readonly annualRevenue?: RevenueCondition;
    readonly contracts?: readonly TenantId[];
  };
  readonly action: {
    readonly deployment: Deployment;
    readonly pool?: PoolName;
    readonly isolationLevel?: IsolationLevel;
    readonly connectionPools?: ConnectionPools;
  };
}

export interface RoutingSettings {
  /** In the order of the file. */
  readonly namespaceRoutes: readonly NamespaceRoute[];
  /** In the order of the file. */
  readonly rules: readonly RoutingRule[];
  readonly defaultPool?: PoolName;
  /** How long the pool that a tenant leaves may be busy for it. Milliseconds. */
  readonly drainMs: number;
}

export interface LoadBalancerSettings {
  readonly type: 'haproxy' | 'nginx' | 'envoy';
  /** The file that the control plane owns; its maps and last good copy lie beside it. */
  readonly configPath: string;
  /** An argument vector; never goes through a shell. Absent: the load balancer's own way (HAProxy: master socket). */
  readonly reloadCommand?: readonly string[];
  /** Address that the load balancer listens on, as `host:port`. */
  readonly bind: { readonly host: string; readonly port: number };
  /** PEM of certificate and key for the listener; absent: without TLS. */
  readonly certificateFile?: string;
  /** HAProxy's `-S` socket. */
  readonly masterSocket?: string;
  /** HAProxy's `stats socket … level admin`. */
  readonly runtimeSocket?: string;
  /** The program that validates; found in PATH by default. */
  readonly binary: string;
  readonly namespaceHeader: string;
  /** `host` takes the first label of the Host header, `header` the namespace header. */
  readonly namespaceSource: 'header' | 'host';
  /** Changes within this time are applied together. */
  readonly coalesceMs: number;
  readonly commandTimeoutMs: number;
  readonly driftIntervalMs: number;
}

export type DiscoverySettings =
  | { readonly type: 'static'; readonly proxies: readonly StaticProxy[] }
  | { readonly type: 'dns_srv'; readonly services: ReadonlyMap<PoolName, string>; readonly intervalMs: number }
  | {
      readonly type: 'kubernetes';
      readonly labelSelector: string;
      /** The label whose value is the pool. */
      readonly poolLabel: string;
      readonly portName: string;
    };

export interface StaticProxy {
  readonly pool: PoolName;
  readonly host: string;
  readonly port: number;
  readonly weight: number;
}

export interface DnsSettings {
  readonly server: { readonly host: string; readonly port: number };
  readonly zone: string;
  /** `<pool>.<zone>` gets the addresses of the pool's healthy proxies. */
  readonly keyName: string;
  readonly keyAlgorithm: 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512';
  /** A file whose content is the key in base64. */
  readonly keySecretFile: string;
  readonly ttlSeconds: number;
  readonly timeoutMs: number;
}

export interface KubernetesSettings {
  readonly namespace: string;
  /** Absent: in-cluster configuration, or the file that KUBECONFIG names. */
  readonly kubeconfigFile?: string;
  /** Whether PrismTenant resources are watched. */
  readonly watchTenants: boolean;
  /** Whether leadership is a Lease of the cluster instead of one in the store. */
  readonly leaderElection: boolean;
}

export interface HealthSettings {
  readonly path: string;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** So many good answers in a row make an unhealthy proxy healthy. */
  readonly rise: number;
  /** So many failures in a row make a healthy proxy unhealthy. */
  readonly fall: number;
  /** With fewer healthy proxies than this percentage of a pool, all of them are kept. 0 to 100. */
  readonly panicThresholdPercent: number;
  /** A registered proxy without a heartbeat for this time is unhealthy. */
  readonly heartbeatTimeoutMs: number;
  /** A registered proxy without a heartbeat for this time is forgotten. */
  readonly forgetAfterMs: number;
}

/** Document 2's `connection_pools`, `resource_limits`, `session_management` and `audit`, as proxies get them. */
export interface IsolationDefaults {
  readonly connectionPools: ConnectionPools;
  readonly resourceLimits: { readonly cpu?: string; readonly memory?: string; readonly maxRps?: number };
  readonly sessions: { readonly maxSessions?: number; readonly sessionTimeoutMs?: number };
  readonly audit: { readonly logsConnections: boolean; readonly logsSessions: boolean };
}
