import type {
  BindingSource,
  ConnectionPools,
  GroupId,
  IsolationLevel,
  JsonObject,
  LoadBalancerVersion,
  LogRecord,
  NamespaceId,
  NamespacePattern,
  NamespaceResources,
  PatternShape,
  PolicyReport,
  PoolName,
  ProviderId,
  ProviderSettings,
  ProviderToken,
  ProxyHealth,
  CapLedger,
  ProxyId,
  ProxyUsage,
  ProxySource,
  Relation,
  ResourceId,
  ResourceType,
  TenantId,
  TenantSource,
  Tier,
} from '@palisade/domain';
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';

/** Read as what JSON.parse makes of it, written as text. */
type Json<T extends object> = JSONColumnType<T, string, string>;

export interface ResourcesTable {
  provider_id: ProviderId;
  id: ResourceId;
  resource_type: ResourceType;
  sequence: GeneratedAlways<number>;
  external_id: string | null;
  attributes: Json<JsonObject>;
  /** `{ "<provider_id>": <search document> }`. */
  search: Json<JsonObject>;
  user_name: GeneratedAlways<string | null>;
  display_name: GeneratedAlways<string | null>;
  active: GeneratedAlways<boolean | null>;
  label: GeneratedAlways<string | null>;
  member_count: number;
  version: number;
  created_at: Date;
  modified_at: Date;
}

export interface MembershipsTable {
  provider_id: ProviderId;
  group_id: GroupId;
  member_id: ResourceId;
  position: GeneratedAlways<number>;
}

export interface ResourceCountsTable {
  provider_id: ProviderId;
  resource_type: ResourceType;
  bucket: number;
  shard: number;
  count: number;
}

export interface BindingsTable {
  provider_id: ProviderId;
  bound_subject: GroupId;
  namespace: NamespaceId;
  relation: Relation;
  source: BindingSource;
  approved_by: string;
  created_at: Date;
  is_suspended: boolean;
}

export interface ProvidersTable {
  id: ProviderId;
  display_name: string | null;
  settings: Json<ProviderSettings>;
  created_at: Date;
  modified_at: Date;
}

export interface ProviderTokensTable {
  provider_id: ProviderId;
  id: string;
  sequence: GeneratedAlways<number>;
  kind: ProviderToken['kind'];
  description: string | null;
  digest: string;
  hint: string;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

export interface SigningKeysTable {
  purpose: string;
  jwk: string;
  created_at: Generated<Date>;
}

export interface RegistryTable {
  name: 'tenants';
  revision: number;
}

export interface TenantsTable {
  id: TenantId;
  revision: number;
  source: TenantSource;
  namespace_patterns: readonly NamespacePattern[];
  pool: PoolName | null;
  isolation_level: IsolationLevel | null;
  tier: Tier | null;
  annual_revenue: number | null;
  connection_pools: ColumnType<ConnectionPools | null, string | null, string | null>;
  resource_limits: ColumnType<NamespaceResources | null, string | null, string | null>;
  draining_pool: PoolName | null;
  draining_until: Date | null;
  version: number;
  created_at: Date;
  modified_at: Date;
}

export interface TenantPatternsTable {
  literal_prefix: string;
  pattern: NamespacePattern;
  shape: PatternShape;
  tenant_id: TenantId;
}

export interface TenantRemovalsTable {
  tenant_id: TenantId;
  revision: number;
}

export interface ProxiesTable {
  id: ProxyId;
  pool: PoolName;
  source: ProxySource;
  owner: string | null;
  host: string;
  port: number;
  weight: number;
  is_draining: boolean;
  health: ProxyHealth;
  health_detail: string | null;
  health_changed_at: Date | null;
  registered_at: Date;
  last_heartbeat_at: Date | null;
  instance: string | null;
  version: string | null;
  policy: ColumnType<PolicyReport | null, string | null, string | null>;
  address_since: Date;
}

export interface CapLedgersTable {
  pool: PoolName;
  backend: string;
  ledger: ColumnType<CapLedger, string, string>;
}

export interface ProxyUsageTable {
  proxy: ProxyId;
  pool: PoolName;
  at: Date;
  usage: ColumnType<ProxyUsage, string, string>;
}

export interface LeasesTable {
  name: string;
  holder: string | null;
  epoch: number;
  expires_at: Date;
}

export interface ComponentStatusTable {
  component: string;
  detail: Json<JsonObject>;
  holder: string;
  at: Date;
}

export interface LoadBalancerVersionsTable {
  id: string;
  revision: number;
  epoch: number | null;
  hash: string;
  type: LoadBalancerVersion['type'];
  method: LoadBalancerVersion['method'];
  result: LoadBalancerVersion['result'];
  reason: string | null;
  actor: string;
  at: Date;
  duration_ms: number;
}

export interface ReloadRequestsTable {
  id: string;
  actor: string;
  requested_at: Generated<Date>;
  version_id: string | null;
}

interface LogColumns {
  /** The provider, or `control_plane`. */
  scope: string;
  at: Date;
  tenant_id: string | null;
  namespace: string | null;
  session_id: string | null;
  user_id: string;
  action: string;
  resource: string;
  result: LogRecord['result'];
  rows_accessed: number | null;
  pii_accessed: boolean | null;
  request_id: string | null;
  detail: ColumnType<JsonObject | null, string | null, never>;
}

export interface LogUnsealedTable extends LogColumns {
  id: GeneratedAlways<number>;
  written_at: Generated<Date>;
}

export interface LogRecordsTable extends LogColumns {
  position: number;
  previous_hash: Buffer;
  hash: Buffer;
  seal: Buffer;
}

/** `removed` is the last record that was removed, `head` the last one that there is. */
export interface LogEndsTable {
  name: 'removed' | 'head';
  position: number;
  seal: Buffer;
}

export interface LogScopesTable {
  scope: string;
  hash: Buffer;
}

/** The times of the records of a thousand positions. */
export interface LogSpansTable {
  span: number;
  earliest: Date;
  latest: Date;
}

export interface LogReadersTable {
  name: string;
  position: number;
  seal: Buffer;
}

export interface Tables {
  resources: ResourcesTable;
  resource_counts: ResourceCountsTable;
  memberships: MembershipsTable;
  bindings: BindingsTable;
  providers: ProvidersTable;
  provider_tokens: ProviderTokensTable;
  signing_keys: SigningKeysTable;
  registry: RegistryTable;
  tenants: TenantsTable;
  tenant_patterns: TenantPatternsTable;
  tenant_removals: TenantRemovalsTable;
  proxies: ProxiesTable;
  cap_ledgers: CapLedgersTable;
  proxy_usage: ProxyUsageTable;
  leases: LeasesTable;
  component_status: ComponentStatusTable;
  load_balancer_versions: LoadBalancerVersionsTable;
  reload_requests: ReloadRequestsTable;
  log_unsealed: LogUnsealedTable;
  log_records: LogRecordsTable;
  log_ends: LogEndsTable;
  log_scopes: LogScopesTable;
  log_readers: LogReadersTable;
  log_spans: LogSpansTable;
}
