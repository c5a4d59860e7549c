import { formatResourceId, type JsonObject, type ResourceType } from '@palisade/domain';
import {
  BULK_RESPONSE_URN,
  createResourceSchema,
  GROUP_URN,
  LIST_RESPONSE_URN,
  presentResource,
  Projection,
  readResource,
  resourceLocation,
  resourceTypeResources,
  schemaResources,
  SCIM_LIMITS,
  serviceProviderConfig,
} from '@palisade/scim';
import { SCIM_ROOT } from '../scim-controller.decorator.js';
import { EXAMPLE_IDS, EXAMPLE_PROVIDER, NEW_GROUP_WITH_MEMBERS, NEW_USER } from './request-examples.js';

const BASE_URL = `https://scim.example.com${SCIM_ROOT}`;
const SCHEMAS = { User: createResourceSchema('User'), Group: createResourceSchema('Group') };
const USER_ID = formatResourceId('User', EXAMPLE_PROVIDER, EXAMPLE_IDS.User);
const GROUP_ID = formatResourceId('Group', EXAMPLE_PROVIDER, EXAMPLE_IDS.Group);
const CREATED_AT = new Date('2026-11-20T08:30:00Z');

/** What the examples of requests create, as the service answers it. */
export const RESOURCE_EXAMPLES: Readonly<Record<ResourceType, JsonObject>> = {
  User: presentResource(
    {
      ...stored('User', NEW_USER),
      type: 'User',
      id: USER_ID,
      groups: [{ id: GROUP_ID, display: NEW_GROUP_WITH_MEMBERS.displayName, direct: true }],
    },
    SCHEMAS.User,
    Projection.all(SCHEMAS.User),
    BASE_URL,
  ),
  Group: presentResource(
    {
      ...stored('Group', NEW_GROUP_WITH_MEMBERS),
      type: 'Group',
      id: GROUP_ID,
      memberCount: 1,
      members: [{ id: USER_ID, display: NEW_USER.displayName }],
    },
    SCHEMAS.Group,
    Projection.all(SCHEMAS.Group),
    BASE_URL,
  ),
};

export const BULK_ANSWER: JsonObject = {
  schemas: [BULK_RESPONSE_URN],
  Operations: [created('User', 'alan'), created('Group', 'crypto')],
};

export const CONFIG_ANSWER = serviceProviderConfig({
  baseUrl: BASE_URL,
  defaultPageSize: SCIM_LIMITS.defaultPageSize,
  maxPageSize: SCIM_LIMITS.maxPageSize,
  maxOperations: SCIM_LIMITS.maxBulkOperations,
  maxPayloadSize: SCIM_LIMITS.maxBulkBytes,
});

export const RESOURCE_TYPE_ANSWERS = resourceTypeResources(Object.values(SCHEMAS), BASE_URL);

/** Only the shortest of the schemas, as an example of all. */
export const SCHEMA_ANSWERS = schemaResources([SCHEMAS.Group], BASE_URL).filter(({ id }) => id === GROUP_URN);

/** A page that holds these. */
export function pageOf(resources: readonly JsonObject[]): JsonObject {
  const { length } = resources;
  return {
    schemas: [LIST_RESPONSE_URN],
    totalResults: length,
    itemsPerPage: length,
    startIndex: 1,
    Resources: resources,
  };
}

function stored(type: ResourceType, body: object) {
  const { attributes } = readResource(body, SCHEMAS[type], { requireAll: true });
  return {
    provider: EXAMPLE_PROVIDER,
    externalId: EXAMPLE_IDS[type],
    version: 1,
    createdAt: CREATED_AT,
    modifiedAt: CREATED_AT,
    attributes,
  };
}

function created(type: ResourceType, externalId: string): JsonObject {
  const location = resourceLocation(type, formatResourceId(type, EXAMPLE_PROVIDER, externalId), BASE_URL);
  return { method: 'POST', bulkId: externalId, location, version: 'W/"1"', status: '201' };
}
