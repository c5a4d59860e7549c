import type { ReferenceObject, SchemaObject, SchemasObject } from '@nestjs/swagger';
import { schemaReference } from '@palisade/platform';
import {
  BULK_REQUEST_URN,
  BULK_RESPONSE_URN,
  ERROR_URN,
  LIST_RESPONSE_URN,
  PATCH_OP_URN,
  SCIM_LIMITS,
  SEARCH_REQUEST_URN,
} from '@palisade/scim';
import { QUERY_SCHEMAS } from './parameters.js';
import { SCIM_TYPES } from './scim-errors.js';

type Schema = SchemaObject | ReferenceObject;

/** The JSON Schemas of SCIM's protocol messages (RFC 7644 §8.2), by component name. */
export function messageSchemas(): SchemasObject {
  return {
    ListResponse: message(LIST_RESPONSE_URN, 'One page of what a query selects, in `Resources`.', LIST_RESPONSE, [
      'totalResults',
    ]),
    SearchRequest: message(SEARCH_REQUEST_URN, 'A query as a body, where a URL would tell too much.', QUERY_SCHEMAS),
    PatchOp: message(
      PATCH_OP_URN,
      'Changes to a resource, in order, all or none. Names count in any case, texts such as "False" as booleans.',
      { Operations: { type: 'array', minItems: 1, items: PATCH_OPERATION } },
      ['Operations'],
    ),
    BulkRequest: message(BULK_REQUEST_URN, 'Operations that each succeed or fail alone.', BULK_REQUEST, ['Operations']),
    BulkResponse: message(
      BULK_RESPONSE_URN,
      'The outcome of each operation that was carried out, in the order of the request.',
      { Operations: { type: 'array', items: BULK_RESULT } },
      ['Operations'],
    ),
    Error: message(ERROR_URN, 'Why a request failed (RFC 7644 §3.12).', ERROR, ['status', 'detail']),
  };
}

/** A page whose resources have one of these schemas. */
export function listOf(...schemas: readonly Schema[]): SchemaObject {
  const [first, ...others] = schemas;
  const items = others.length === 0 && first !== undefined ? first : { anyOf: [...schemas] };
  const page: SchemaObject = {
    type: 'object',
    properties: { Resources: { type: 'array', items } },
    required: ['Resources'],
  };
  return { allOf: [schemaReference('ListResponse'), page] };
}

function message(
  urn: string,
  description: string,
  properties: SchemasObject,
  required: readonly string[] = [],
): SchemaObject {
  return {
    type: 'object',
    description,
    properties: {
      schemas: { type: 'array', items: { type: 'string', enum: [urn] }, description: 'The kind of message.' },
      ...properties,
    },
    required: ['schemas', ...required],
  };
}

const LIST_RESPONSE: SchemasObject = {
  totalResults: { type: 'integer', description: 'Resources that the query selects, on all pages together.' },
  itemsPerPage: { type: 'integer', description: 'Resources on this page.' },
  startIndex: { type: 'integer', description: 'With index pagination: the first resource on this page.' },
  nextCursor: {
    type: 'string',
    description: 'With cursor pagination: `cursor` of the next page, unless this is the last.',
  },
};

const PATCH_OPERATION: SchemaObject = {
  type: 'object',
  properties: {
    op: {
      type: 'string',
      examples: ['add', 'remove', 'replace'],
      description: '`add`, `remove` or `replace`, in any case.',
    },
    path: {
      type: 'string',
      description:
        'The attribute to change: `active`, `name.familyName`, `emails[type eq "work"].value`, `members[value eq "…"]`, or one ' +
        'of an extension after its URN and a colon. Without it, `value` holds attributes by name. Required to remove.',
      examples: ['emails[type eq "work"].value'],
    },
    value: { description: 'What to add or to set; to remove some elements of a list, those.' },
  },
  required: ['op'],
};

const BULK_OPERATION: SchemaObject = {
  type: 'object',
  properties: {
    method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'] },
    path: {
      type: 'string',
      description: '`/Users` or `/Groups` to create, else `/Users/{id}` or `/Groups/{id}`.',
      examples: ['/Users'],
    },
    bulkId: {
      type: 'string',
      description: 'A name of your choice, required to create; `bulkId:<name>` stands for the id of what it creates.',
    },
    version: { type: 'string', description: 'Like the header If-Match of the operation.', examples: ['W/"3"'] },
    data: { type: 'object', description: 'The body of the operation; none to delete.' },
  },
  required: ['method', 'path'],
};

const BULK_REQUEST: SchemasObject = {
  failOnErrors: {
    type: 'integer',
    minimum: 1,
    description: 'Stop after this many failed operations; never by default.',
  },
  Operations: { type: 'array', maxItems: SCIM_LIMITS.maxBulkOperations, items: BULK_OPERATION },
};

const BULK_RESULT: SchemaObject = {
  type: 'object',
  properties: {
    method: { type: 'string' },
    bulkId: { type: 'string' },
    location: { type: 'string', format: 'uri-reference', description: 'The resource; absent when it was not created.' },
    version: { type: 'string', description: 'Entity tag of the resource.' },
    status: { type: 'string', description: 'HTTP status of the operation, as a text.', examples: ['201'] },
    response: { allOf: [schemaReference('Error')], description: 'Why the operation failed.' },
  },
  required: ['method', 'status'],
};

const ERROR: SchemasObject = {
  status: { type: 'string', description: 'The HTTP status, as a text.', examples: ['400'] },
  scimType: { type: 'string', enum: [...SCIM_TYPES], description: 'Stable; branch on it. Not every error has one.' },
  detail: { type: 'string', description: 'For people: names the attribute or the position, and what was expected.' },
};
