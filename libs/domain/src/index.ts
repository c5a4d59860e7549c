export {
  MAX_EXTERNAL_ID_LENGTH,
  RESOURCE_TYPES,
  candidateIds,
  formatResourceId,
  isExternalId,
  parseNamespaceId,
  parseProviderId,
  parseResourceId,
  resourceTypeOf,
  type GroupId,
  type NamespaceId,
  type ProviderId,
  type ResourceId,
  type ResourceIdParts,
  type ResourceType,
  type UserId,
} from './identifiers.js';
export type { JsonObject, JsonPrimitive, JsonValue } from './json.js';

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
export type { AuditEvent, AuditQuery, ChangeContext, RecordedAuditEvent } from './audit/audit-event.js';

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
} from './stores/directory-store.js';
export { ProviderStore, type ProviderDraft } from './stores/provider-store.js';
export { Store } from './stores/store.js';

export { BindingConflictError } from './errors/binding-conflict.error.js';
export { DomainError } from './errors/domain.error.js';
export { InvalidIdentifierError } from './errors/invalid-identifier.error.js';
export { MembershipCycleError } from './errors/membership-cycle.error.js';
export { NestingTooDeepError } from './errors/nesting-too-deep.error.js';
export { PreconditionFailedError } from './errors/precondition-failed.error.js';
export { ProviderExistsError } from './errors/provider-exists.error.js';
export { ProviderNotFoundError } from './errors/provider-not-found.error.js';
export { ResourceNotFoundError } from './errors/resource-not-found.error.js';
export { StoreUnavailableError } from './errors/store-unavailable.error.js';
export { TooManyMembersError } from './errors/too-many-members.error.js';
export { UniquenessError } from './errors/uniqueness.error.js';
export { UnknownMemberError } from './errors/unknown-member.error.js';
export { UnknownSubjectError } from './errors/unknown-subject.error.js';
