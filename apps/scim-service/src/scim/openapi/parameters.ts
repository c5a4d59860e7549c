import type { HeadersObject, ParameterObject, SchemaObject } from '@nestjs/swagger';
import type { ResourceType } from '@palisade/domain';
import { MAX_FILTER_DEPTH, MAX_FILTER_LENGTH, SCIM_LIMITS } from '@palisade/scim';
import { EXAMPLE_IDS } from './request-examples.js';

const { defaultPageSize, maxPageSize } = SCIM_LIMITS;

/** Which attributes an answer holds (RFC 7644 §3.9). */
const SELECTION = {
  attributes: {
    type: 'array',
    items: { type: 'string' },
    description:
      'Return these attributes only, besides `schemas` and `id`: `userName`, `name.familyName`, or with the URN of an ' +
      'extension before it. Not together with `excludedAttributes`.',
    examples: [['userName', 'emails.value']],
  },
  excludedAttributes: {
    type: 'array',
    items: { type: 'string' },
    description: 'Leave these attributes out, e.g. `members` of large groups. Not together with `attributes`.',
    examples: [['members']],
  },
} as const satisfies Readonly<Record<string, SchemaObject>>;

/** A query (RFC 7644 §3.4.2, RFC 9865 §2), in a URL or in the body of a `.search`. */
export const QUERY_SCHEMAS = {
  filter: {
    type: 'string',
    maxLength: MAX_FILTER_LENGTH,
    description:
      'Which resources to return (RFC 7644 §3.4.2.2): `eq`, `ne`, `co`, `sw`, `ew`, `gt`, `ge`, `lt`, `le`, `pr`, joined by ' +
      '`and`, `or` and `not (…)`; `emails[type eq "work" and value co "@example.com"]` is about one value of a list. Texts ' +
      `are in quotation marks. At most ${MAX_FILTER_LENGTH} characters and ${MAX_FILTER_DEPTH} levels of parentheses.`,
    examples: ['userName eq "ada@example.com"'],
  },
  sortBy: {
    type: 'string',
    description: 'Attribute to sort by; in order of creation without it.',
    examples: ['userName'],
  },
  sortOrder: {
    type: 'string',
    enum: ['ascending', 'descending'],
    default: 'ascending',
    description: 'Order of `sortBy`.',
  },
  startIndex: {
    type: 'integer',
    minimum: 1,
    description: 'Index pagination: the first resource to return, counted from 1, which it is by default.',
    examples: [1],
  },
  count: {
    type: 'integer',
    minimum: 0,
    maximum: maxPageSize,
    default: defaultPageSize,
    description: `Resources per page; 0 returns their number only, more than ${maxPageSize} counts as ${maxPageSize}.`,
  },
  cursor: {
    type: 'string',
    description:
      'Cursor pagination (RFC 9865), for many resources: empty for the first page, then the `nextCursor` of the page ' +
      'before, all else unchanged. Cursors do not expire. Not together with `startIndex`.',
  },
  ...SELECTION,
} as const satisfies Readonly<Record<string, SchemaObject>>;

export const SELECTION_PARAMETERS = toParameters(SELECTION);
export const QUERY_PARAMETERS = toParameters(QUERY_SCHEMAS);

function toParameters(schemas: Readonly<Record<string, SchemaObject>>): readonly ParameterObject[] {
  return Object.entries(schemas).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
    // RFC 7644 §3.9: names of attributes are separated by commas.
    ...(schema.type === 'array' && { style: 'form' as const, explode: false }),
    ...(name === 'cursor' && { allowEmptyValue: true }),
  }));
}

/** The `{id}` of a user or group. */
export function resourceId(type: ResourceType): ParameterObject {
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `External id or full identifier of the ${type.toLowerCase()}.`,
    schema: { type: 'string', minLength: 1, example: EXAMPLE_IDS[type] },
  };
}

/** RFC 7644 §3.14. */
export const IF_MATCH = header(
  'If-Match',
  'Only if this is the version: the `ETag` of an earlier answer, or `*` for any.',
  ['W/"3"'],
);

/** RFC 9110 §13.1.2, for reads. */
export const IF_CHANGED = header(
  'If-None-Match',
  'Answer 304 without a body if this is still the version: the `ETag` of an earlier answer.',
  ['W/"3"'],
);

/** RFC 9110 §13.1.2, for changes. */
export const IF_NONE_MATCH = header('If-None-Match', 'Change any version but this one, or `*` for none at all.', [
  'W/"2"',
]);

/** RFC 7240 §4.2. */
export const PREFER = header('Prefer', '`return=minimal`: no body in the answer.', ['return=minimal']);

/** The headers of an answer about one resource. */
export const RESOURCE_HEADERS: HeadersObject = {
  ETag: { description: 'Version of the resource, for `If-Match`.', schema: { type: 'string', examples: ['W/"1"'] } },
  Location: { description: 'URL of the resource.', schema: { type: 'string', format: 'uri' } },
  'Content-Location': { description: 'The same.', schema: { type: 'string', format: 'uri' } },
};

function header(name: string, description: string, examples: string[]): ParameterObject {
  return { name, in: 'header', required: false, description, schema: { type: 'string', examples } };
}
