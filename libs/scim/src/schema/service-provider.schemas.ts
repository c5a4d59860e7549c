import type { AttributeDefinition, SchemaDefinition } from '@palisade/domain';
import { RESOURCE_TYPE_URN, SCHEMA_URN, SERVICE_PROVIDER_CONFIG_URN } from '../urns.js';
import { defineAttribute } from './define-attribute.js';

type Given = Partial<Omit<AttributeDefinition, 'name' | 'description' | 'mutability'>>;

// RFC 7643 §5, §6, §7: clients read these resources and change none of them.
function readOnly(name: string, description: string, given: Given = {}): AttributeDefinition {
  return defineAttribute({ name, description, ...given, mutability: 'readOnly' });
}

function flag(name: string, description: string, required = true): AttributeDefinition {
  return readOnly(name, description, { type: 'boolean', required });
}

function limit(name: string, description: string, required = true): AttributeDefinition {
  return readOnly(name, description, { type: 'integer', required });
}

function uri(name: string, description: string, referenceType: 'external' | 'uri', required = false) {
  return readOnly(name, description, { type: 'reference', referenceTypes: [referenceType], required });
}

function options(name: string, description: string, subAttributes: readonly AttributeDefinition[]) {
  return readOnly(name, description, { type: 'complex', required: true, subAttributes });
}

const SUPPORTED = flag('supported', 'Whether the feature is supported.');

/** RFC 7643 §5 and §8.7.2, with the `type` and `primary` of an authentication scheme that §8.5 shows, and RFC 9865 §4. */
export const SERVICE_PROVIDER_CONFIG_SCHEMA: SchemaDefinition = {
  id: SERVICE_PROVIDER_CONFIG_URN,
  name: 'ServiceProviderConfig',
  description: 'Which parts of SCIM the service supports.',
  attributes: [
    uri('documentationUri', 'Location of the documentation for people.', 'external'),
    options('patch', 'Changing a resource with PATCH.', [SUPPORTED]),
    options('bulk', 'Many operations in one request.', [
      SUPPORTED,
      limit('maxOperations', 'Most operations that one request may hold.'),
      limit('maxPayloadSize', 'Most bytes that the body of one request may have.'),
    ]),
    options('filter', 'Queries with a filter.', [
      SUPPORTED,
      limit('maxResults', 'Most resources that one answer holds.'),
    ]),
    options('changePassword', 'Changing a password.', [SUPPORTED]),
    options('sort', 'Sorted answers.', [SUPPORTED]),
    options('etag', 'Versions of resources as entity tags.', [SUPPORTED]),
    readOnly('pagination', 'Ways to page through the answer to a query.', {
      type: 'complex',
      subAttributes: [
        flag('cursor', 'Whether a page can be asked for by cursor.'),
        flag('index', 'Whether a page can be asked for by index.'),
        readOnly('defaultPaginationMethod', 'The method used when a query names none.', {
          canonicalValues: ['cursor', 'index'],
        }),
        limit('defaultPageSize', 'Resources on a page when a query gives no count.', false),
        limit('maxPageSize', 'Most resources on a page.', false),
        limit('cursorTimeout', 'Seconds for which a cursor stays valid at least.', false),
      ],
    }),
    readOnly('authenticationSchemes', 'Ways to authenticate a request.', {
      type: 'complex',
      multiValued: true,
      required: true,
      subAttributes: [
        readOnly('type', 'The kind of scheme.', {
          required: true,
          canonicalValues: ['oauth', 'oauth2', 'oauthbearertoken', 'httpbasic', 'httpdigest'],
        }),
        readOnly('name', 'The usual name of the scheme.', { required: true }),
        readOnly('description', 'What the scheme is.', { required: true }),
        uri('specUri', "Location of the scheme's specification.", 'external'),
        uri('documentationUri', 'Location of the documentation of its use here.', 'external'),
        flag('primary', 'Whether this is the preferred scheme.', false),
      ],
    }),
  ],
};

/** RFC 7643 §6 and §8.7.2; `schemaExtensions` is the optional list that §6 describes. */
export const RESOURCE_TYPE_SCHEMA: SchemaDefinition = {
  id: RESOURCE_TYPE_URN,
  name: 'ResourceType',
  description: 'A type of resource that the service offers.',
  attributes: [
    readOnly('id', 'Identifier of the resource type, the same as its name.'),
    readOnly('name', 'Name of the resource type.', { required: true }),
    readOnly('description', 'What resources of this type are.'),
    uri('endpoint', "Where resources of this type are, relative to the protocol's root.", 'uri', true),
    uri('schema', 'URN of the core schema.', 'uri', true),
    readOnly('schemaExtensions', 'Schemas that may add attributes to the core schema.', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        uri('schema', 'URN of the extension.', 'uri', true),
        flag('required', 'Whether every resource of this type must use the extension.'),
      ],
    }),
  ],
};

// RFC 7643 §7: sub-attributes are described by the same characteristics as attributes, one level deep.
const CHARACTERISTICS: readonly AttributeDefinition[] = [
  readOnly('name', 'Name of the attribute.', { required: true, caseExact: true }),
  readOnly('type', 'Data type of the attribute.', {
    required: true,
    canonicalValues: ['string', 'complex', 'boolean', 'decimal', 'integer', 'dateTime', 'reference', 'binary'],
  }),
  flag('multiValued', 'Whether the attribute has a list of values.'),
  readOnly('description', 'What the attribute means.', { caseExact: true }),
  flag('required', 'Whether the attribute must have a value.', false),
  readOnly('canonicalValues', 'Values that are suggested.', { multiValued: true, caseExact: true }),
  flag('caseExact', 'Whether values that differ only in case are different.', false),
  readOnly('mutability', 'Whether a client may set and change the attribute.', {
    caseExact: true,
    canonicalValues: ['readOnly', 'readWrite', 'immutable', 'writeOnly'],
  }),
  readOnly('returned', 'When the attribute is part of an answer.', {
    caseExact: true,
    canonicalValues: ['always', 'never', 'default', 'request'],
  }),
  readOnly('uniqueness', 'The resources among which the value is unique.', {
    caseExact: true,
    canonicalValues: ['none', 'server', 'global'],
  }),
  readOnly('referenceTypes', 'What a reference may point to.', { multiValued: true, caseExact: true }),
];

/** RFC 7643 §7 and §8.7.2, with `binary` among the types (§2.3.6). */
export const SCHEMA_SCHEMA: SchemaDefinition = {
  id: SCHEMA_URN,
  name: 'Schema',
  description: 'Attributes and their characteristics.',
  attributes: [
    readOnly('id', 'URN of the schema.', { required: true, returned: 'always' }),
    readOnly('name', 'Name of the schema.', { required: true }),
    readOnly('description', 'What the schema describes.'),
    readOnly('attributes', 'The attributes that the schema defines.', {
      type: 'complex',
      multiValued: true,
      required: true,
      subAttributes: [
        ...CHARACTERISTICS,
        readOnly('subAttributes', 'The parts of a complex attribute.', {
          type: 'complex',
          multiValued: true,
          subAttributes: CHARACTERISTICS,
        }),
      ],
    }),
  ],
};
