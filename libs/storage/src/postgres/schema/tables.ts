import type {
  BindingSource,
  GroupId,
  JsonObject,
  NamespaceId,
  ProviderId,
  ProviderSettings,
  ProviderToken,
  Relation,
  ResourceId,
  ResourceType,
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

export interface AuditEventsTable {
  sequence: GeneratedAlways<number>;
  at: Date;
  actor: string;
  action: string;
  resource: string;
  result: 'success' | 'denied' | 'failure';
  provider: string | null;
  namespace: string | null;
  request_id: string | null;
  detail: ColumnType<JsonObject | null, string | null, never>;
}

export interface Tables {
  resources: ResourcesTable;
  resource_counts: ResourceCountsTable;
  memberships: MembershipsTable;
  bindings: BindingsTable;
  providers: ProvidersTable;
  provider_tokens: ProviderTokensTable;
  signing_keys: SigningKeysTable;
  audit_events: AuditEventsTable;
}
