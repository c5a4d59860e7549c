export {
  MAX_EXTERNAL_ID_LENGTH,
  RESOURCE_TYPES,
  candidateIds,
  formatResourceId,
  isExternalId,
  parseNamespaceId,
  parsePoolName,
  parseProviderId,
  parseProxyId,
  parseResourceId,
  parseTenantId,
  resourceTypeOf,
  type GroupId,
  type NamespaceId,
  type PoolName,
  type ProviderId,
  type ProxyId,
  type ResourceId,
  type ResourceIdParts,
  type ResourceType,
  type TenantId,
  type UserId,
} from './identifiers.js';
export type { JsonObject, JsonPrimitive, JsonValue } from './json.js';
export { closestName } from './values/closest-name.js';
export { parseDurationMs } from './values/duration.js';
export { parseHostPort, type HostPort } from './values/host-port.js';
export { isObject, parseJsonObject } from './values/json-object.js';
export { parseBytes, parseCores } from './values/quantity.js';

export type { AttributeDefinition, AttributeType, SchemaDefinition, SchemaExtension } from './schema/attribute.js';
export type { AttributeReference, ComparisonOperator, Filter } from './query/filter.js';
export type {
  CursorPosition,
  Inclusion,
  PageRequest,
  ResourcePage,
  ResourceQuery,
  Selection,
} from './query/resource-query.js';

export type {
  GroupMembership,
  Member,
  MembershipChange,
  ResourceDraft,
  Revision,
  StoredGroup,
  StoredResource,
  StoredResourceOf,
  StoredUser,
} from './directory/resource.js';
export {
  ACCESS_REFUSALS,
  answerAccess,
  type AccessAnswer,
  type AccessQuestion,
  type AccessRefusal,
} from './bindings/access-answer.js';
export {
  BINDING_SOURCES,
  RELATIONS,
  includesRelation,
  type BindingKey,
  type BindingQuery,
  type BindingSource,
  type BindingState,
  type Grant,
  type ListedBinding,
  type NamespaceBinding,
  type NamespaceUser,
  type Relation,
} from './bindings/binding.js';
export {
  DEFAULT_PROVIDER_SETTINGS,
  DIALECTS,
  type Dialect,
  type Provider,
  type ProviderSettings,
  type ProviderToken,
  type TrustedIssuer,
} from './providers/provider.js';
export { BACKEND_KINDS, ISOLATION_LEVELS, type BackendKind, type IsolationLevel } from './tenancy/isolation-level.js';
export {
  MAX_WILDCARD_PATTERNS,
  comparePatterns,
  literalPrefix,
  matchesNamespace,
  parseNamespacePattern,
  patternShape,
  type NamespacePattern,
  type PatternShape,
} from './tenancy/namespace-pattern.js';
export { patternsOverlap } from './tenancy/pattern-overlap.js';
export {
  DEPLOYMENTS,
  TENANCY_MODELS,
  TIERS,
  type BackendPoolSettings,
  type ConnectionPools,
  type Deployment,
  type TenancyModel,
  type Tenant,
  type TenantDraft,
  type TenantSource,
  type Tier,
} from './tenancy/tenant.js';
export { isSamePlace, type Proxy, type ProxyDraft, type ProxyHealth, type ProxySource } from './tenancy/proxy.js';
export type { LoadBalancerVersion } from './tenancy/load-balancer-version.js';
export type { ActionRecord, ChainedActionRecord } from './audit/action-record.js';
export type { AuditEvent, AuditQuery, ChangeContext, RecordedAuditEvent } from './audit/audit-event.js';

export {
  ActionStore,
  type ActionQuery,
  type ChainEnds,
  type ChainHead,
  type ChainStart,
} from './stores/action-store.js';
export { AuditStore } from './stores/audit-store.js';
export {
  BindingStore,
  type AddBindingOptions,
  type AddBindingResult,
  type NamespaceUserQuery,
} from './stores/binding-store.js';
export {
  DirectoryStore,
  MAX_GROUPS_PER_PAGE,
  MAX_GROUP_DEPTH,
  MAX_GROUP_MEMBERS,
  type CreateOptions,
  type CreateResult,
  type CurrentResource,
  type ReconcileOptions,
  type UpdateOptions,
  type UserCreation,
} from './stores/directory-store.js';
export { LeaseStore, type HeldLease } from './stores/lease-store.js';
export {
  OperationsStore,
  RELOAD_REQUEST_LIFETIME_MS,
  type ComponentStatus,
  type ReloadRequest,
} from './stores/operations-store.js';
export { ProviderStore, type ProviderDraft } from './stores/provider-store.js';
export { ProxyStore, type HealthObservation } from './stores/proxy-store.js';
export {
  TenantStore,
  type RegisterTenantResult,
  type ReplaceTenantOptions,
  type TenantChanges,
  type TenantQuery,
} from './stores/tenant-store.js';
export { Store } from './stores/store.js';
export type { OperationListener, StoreConnections } from './stores/store-connections.js';

export { BindingConflictError } from './errors/binding-conflict.error.js';
export { DomainError } from './errors/domain.error.js';
export { InvalidIdentifierError } from './errors/invalid-identifier.error.js';
export { LeaseLostError } from './errors/lease-lost.error.js';
export { ManagedElsewhereError } from './errors/managed-elsewhere.error.js';
export { MembershipCycleError } from './errors/membership-cycle.error.js';
export { NamespaceOverlapError } from './errors/namespace-overlap.error.js';
export { NestingTooDeepError } from './errors/nesting-too-deep.error.js';
export { PreconditionFailedError } from './errors/precondition-failed.error.js';
export { ProviderBusyError } from './errors/provider-busy.error.js';
export { ProviderExistsError } from './errors/provider-exists.error.js';
export { ProviderNotFoundError } from './errors/provider-not-found.error.js';
export { ResourceNotFoundError } from './errors/resource-not-found.error.js';
export { StoreUnavailableError } from './errors/store-unavailable.error.js';
export { TenantConflictError } from './errors/tenant-conflict.error.js';
export { TenantNotFoundError } from './errors/tenant-not-found.error.js';
export { TooManyMembersError } from './errors/too-many-members.error.js';
export { TooManyPatternsError } from './errors/too-many-patterns.error.js';
export { UniquenessError } from './errors/uniqueness.error.js';
export { UnknownMemberError } from './errors/unknown-member.error.js';
export { UnknownSubjectError } from './errors/unknown-subject.error.js';
