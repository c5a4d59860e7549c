export { ScimServer, type ScimServerOptions } from './scim-server.js';
export {
  ProvisioningServer,
  type AccessRequest,
  type BindingReference,
  type BindingRequest,
  type BindingSelection,
  type ProvisioningServerOptions,
} from './provisioning-server.js';
export { ResourceOperations, type PreparedCreate, type ResourceContext } from './operations/resource-operations.js';
export type { AttributeSelection, ResourceAnswer, ScimRequest } from './operations/scim-request.js';
export {
  readAttributeSelection,
  readListQuery,
  readSearchRequest,
  type ListParameters,
} from './operations/list-parameters.js';
export { SCIM_LIMITS } from './operations/scim-limits.js';

export { ScimError, badRequest, type ScimType } from './scim.errors.js';
export { errorResource, toScimError } from './scim.errors.js';

export { ResourceSchema, findSubAttribute, type ResolvedPath } from './schema/resource-schema.js';
export { createResourceSchema } from './schema/create-resource-schema.js';
export { COMMON_ATTRIBUTES } from './schema/common-attributes.js';
export { defineAttribute } from './schema/define-attribute.js';
export {
  RESOURCE_TYPE_SCHEMA,
  SCHEMA_SCHEMA,
  SERVICE_PROVIDER_CONFIG_SCHEMA,
} from './schema/service-provider.schemas.js';
export { validateExtension } from './schema/validate-extension.js';
export { USER_SCHEMA } from './schema/user.schema.js';
export { ENTERPRISE_USER_SCHEMA } from './schema/user.schema.js';
export { GROUP_SCHEMA } from './schema/group.schema.js';

export { bindElementFilter, bindFilter, type BindFilterOptions } from './filter/bind-filter.js';
export { bindSortAttribute } from './filter/bind-sort-attribute.js';
export { compareValues } from './values/compare-values.js';
export type { FilterExpression } from './filter/filter-expression.js';
export { foldCase, foldLetters } from './values/fold-case.js';
export { matches } from './filter/matches.js';
export { toCanonicalDateTime } from './values/canonical-date-time.js';
export { MAX_FILTER_DEPTH, MAX_FILTER_LENGTH, MAX_FILTER_NODES, parseFilter } from './filter/parse-filter.js';
export { printFilter } from './filter/print-filter.js';
export { sortValue } from './filter/sort-value.js';

export { applyPatch } from './patch/apply-patch.js';
export { parsePatch } from './patch/parse-patch.js';
export { presentResource, resourceLocation } from './resource/present-resource.js';
export { Projection } from './resource/projection.js';
export { readResource, withDefaults, type ResourceInput } from './resource/read-resource.js';
export { replaceAttributes } from './resource/replace-attributes.js';
export { createSearchDocument } from './resource/search-document.js';
export { formatVersion } from './resource/version.js';

export { resourceTypeResources } from './discovery.js';
export { schemaResources } from './discovery.js';
export { serviceProviderConfig } from './discovery.js';
export {
  BULK_REQUEST_URN,
  BULK_RESPONSE_URN,
  ENTERPRISE_USER_URN,
  ERROR_URN,
  GROUP_URN,
  LIST_RESPONSE_URN,
  PATCH_OP_URN,
  SEARCH_REQUEST_URN,
  USER_URN,
} from './urns.js';
export { StreamedList, toJsonText } from './values/streamed-list.js';
