import type { JsonObject, ResourceDraft, ResourceType } from '@palisade/domain';
import { createResourceSchema, createSearchDocument, readResource, type ResourceSchema } from '@palisade/scim';
import { BADGE_EXTENSION } from './badge-extension.js';

const SCHEMAS: Readonly<Record<ResourceType, ResourceSchema>> = {
  User: createResourceSchema('User', [BADGE_EXTENSION]),
  Group: createResourceSchema('Group', []),
};

/** The schema that test resources of a type are read and filtered with; users have an extension with every type. */
export function schemaOf(type: ResourceType): ResourceSchema {
  return SCHEMAS[type];
}

/** What the protocol engine would store for this body of a create request. */
export function draftOf(type: ResourceType, body: JsonObject): ResourceDraft {
  const { externalId, attributes } = readResource(body, SCHEMAS[type], { requireAll: false });
  return { externalId: externalId ?? undefined, attributes, search: createSearchDocument(attributes, SCHEMAS[type]) };
}

export function userDraft(body: JsonObject): ResourceDraft {
  return draftOf('User', body);
}

export function groupDraft(body: JsonObject): ResourceDraft {
  return draftOf('Group', body);
}
