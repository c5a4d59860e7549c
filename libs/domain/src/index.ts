export {
  candidateIds,
  formatResourceId,
  InvalidIdentifierError,
  isExternalId,
  MAX_EXTERNAL_ID_LENGTH,
  parseGroupId,
  parseNamespaceId,
  parsePoolName,
  parseProviderId,
  parseProxyId,
  parseResourceId,
  parseTenantId,
  RESOURCE_TYPES,
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
export {
  isObject,
  parseJson,
  parseJsonObject,
  type JsonObject,
  type JsonPrimitive,
  type JsonValue,
} from './values/json.js';
export { closestName } from './values/closest-name.js';
export { redactText } from './values/redact-text.js';
export { unlessThrown } from './values/unless-thrown.js';
export { formatBytes, parseBytes, parseCores, parseDurationMs } from './values/quantity.js';
export { parseHostPort, type HostPort } from './values/host-port.js';
export { codeOf, messageOf } from './values/error-facts.js';

export type { AttributeDefinition, AttributeType, SchemaDefinition, SchemaExtension } from './directory/schema.js';
export type {
  AttributeReference,
  ComparisonOperator,
  CursorPosition,
  Filter,
  Inclusion,
  PageRequest,
  ResourcePage,
  ResourceQuery,
  Selection,
} from './directory/query.js';

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
  ACCESS_DENIALS,
  answerAccess,
  type AccessAnswer,
  type AccessQuestion,
  type AccessDenial,
} from './access-answer.js';
export {
  chainUpTo,
  BINDING_SOURCES,
  BINDING_STATES,
  BindingStore,
  includesRelation,
  RELATIONS,
  type AddBindingOptions,
  type AddBindingResult,
  type BindingKey,
  type BindingQuery,
  type BindingSource,
  type BindingState,
  type Grant,
  type ListedBinding,
  type NamespaceBinding,
  type NamespaceUser,
  type NamespaceUserQuery,
  type Relation,
} from './bindings.js';
export {
  DEFAULT_PROVIDER_SETTINGS,
  DIALECTS,
  ProviderStore,
  type Dialect,
  type Provider,
  type ProviderDraft,
  type ProviderSettings,
  type ProviderToken,
  type SigningPurpose,
  type TrustedIssuer,
} from './directory/providers.js';
export {
  BACKEND_KINDS,
  DEPLOYMENTS,
  ISOLATION_LEVELS,
  TENANCY_MODELS,
  TIERS,
  type BackendKind,
  type BackendPoolSettings,
  type ConnectionPools,
  type Deployment,
  type IsolationLevel,
  type NamespaceResources,
  type TenancyModel,
  type Tenant,
  type TenantDraft,
  type TenantSource,
  type Tier,
} from './tenancy/tenant.js';
export {
  comparePatterns,
  literalPrefix,
  matchesNamespace,
  MAX_WILDCARD_PATTERNS,
  parseNamespacePattern,
  patternShape,
  patternsOverlap,
  type NamespacePattern,
  type PatternShape,
} from './tenancy/namespace-pattern.js';
export { PatternIndex, type IndexedPattern } from './tenancy/pattern-index.js';
export {
  isSamePlace,
  ProxyStore,
  type HealthObservation,
  type ProxyBounds,
  type PutProxyOptions,
  type Proxy,
  type ProxyDraft,
  type ProxyHealth,
  type PolicyReport,
  type ProxyReport,
  type ProxySource,
} from './tenancy/proxies.js';
export {
  OperationsStore,
  RELOAD_REQUEST_LIFETIME_MS,
  type ComponentStatus,
  type LoadBalancerVersion,
  type ReloadRequest,
} from './tenancy/operations-store.js';

export {
  DirectoryStore,
  MAX_FEW_MEMBERS,
  MAX_GROUPS_PER_PAGE,
  MAX_GROUP_DEPTH,
  MAX_GROUP_MEMBERS,
  MAX_PAGE_BYTES,
  membershipLine,
  type CreateOptions,
  type CreateResult,
  type CurrentResource,
  type InactiveMembership,
  type MemberPage,
  type ReconcileOptions,
  type UpdateOptions,
  type UserCreation,
} from './directory/directory-store.js';
export { LeaseStore, type HeldLease } from './tenancy/lease-store.js';
export {
  TenantStore,
  type RegisterTenantResult,
  type ReplaceTenantOptions,
  type TenantChanges,
  type TenantQuery,
} from './tenancy/tenant-store.js';
export { LOG_START, sealRecords, verifyLog, type LogVerdict } from './log/log-chain.js';
export { SERVICE_SCOPE, scopeOf, type ChangeContext, type LogRecord, type SealedRecord } from './log/log-record.js';
export { fromRecordJson, toRecordJson, type RecordJson } from './log/record-json.js';
export { LogStore, type LogEnds, type LogPoint, type LogQuery, type UnsealedRecords } from './log/log-store.js';
export { readLog } from './log/read-log.js';
export { removeOldRecords, type RemoveOldRecords } from './log/remove-old-records.js';

export { Store, type OperationListener, type StoreConnections } from './store.js';

export { BindingConflictError, UnknownSubjectError } from './bindings.errors.js';
export { DomainError } from './domain.error.js';
export {
  LeaseLostError,
  ManagedElsewhereError,
  PreconditionFailedError,
  StoreUnavailableError,
} from './store.errors.js';
export {
  MembershipCycleError,
  NestingTooDeepError,
  ResourceNotFoundError,
  TooManyMembersError,
  UniquenessError,
  UnknownMemberError,
} from './directory/directory.errors.js';
export {
  NamespaceOverlapError,
  ProxyTakenError,
  TooManyProxiesError,
  TenantConflictError,
  TenantNotFoundError,
  TooManyPatternsError,
} from './tenancy/tenants.errors.js';
export { ProviderBusyError, ProviderExistsError, ProviderNotFoundError } from './directory/providers.errors.js';

export {
  POLICY_EVENTS,
  POLICY_KEEPALIVE_MS,
  UNREGISTERED_TENANT,
  type CompletePolicy,
  type PolicyChange,
  type TenantPolicy,
} from './policy/pool-policy.js';
export {
  ACCESS_CONFIRMATION_MS,
  MAX_ACCESS_QUESTIONS,
  type AccessAnswerDocument,
  type AccessChange,
  type AccessQuestionDocument,
} from './policy/access-documents.js';
export type { CapDemand, CapPart } from './policy/cap-parts.js';
export { MAX_REPORTED_NAMESPACES, type NamespaceUsageReport, type ProxyHeartbeat } from './policy/proxy-heartbeat.js';
export {
  currentEntries,
  divideCap,
  EMPTY_CAP_LEDGER,
  releaseCap,
  type CapEntry,
  type CapLedger,
  type CapReport,
} from './policy/cap-ledger.js';
export { type CapRequest, HeldCapPart } from './policy/held-cap-part.js';
export { type BackendReport, CapStore, type StoredCapLedger } from './policy/cap-store.js';
export { type ProxyUsage, type StoredUsage, UsageStore } from './policy/usage-store.js';
