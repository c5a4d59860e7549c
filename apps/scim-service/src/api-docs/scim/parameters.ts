import type { HeadersObject, ParameterObject } from '@nestjs/swagger';
import type { ResourceType } from '@palisade/domain';
import { EXAMPLE_IDS } from './request-examples.js';

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
  'Change only this version: the `ETag` of an earlier answer, or `*` for any.',
  ['W/"3"'],
);

export const IF_NONE_MATCH = header(
  'If-None-Match',
  'Answer 304 without a body if this is still the version: the `ETag` of an earlier answer.',
  ['W/"3"'],
);

/** RFC 7240 §4.2. */
export const PREFER = header('Prefer', '`return=minimal`: no body in the answer.', ['return=minimal']);

/** Of an answer about one resource. */
export const RESOURCE_HEADERS: HeadersObject = {
  ETag: { description: 'Version of the resource, for `If-Match`.', schema: { type: 'string', examples: ['W/"1"'] } },
  Location: { description: 'URL of the resource.', schema: { type: 'string', format: 'uri' } },
  'Content-Location': { description: 'The same.', schema: { type: 'string', format: 'uri' } },
};

function header(name: string, description: string, examples: string[]): ParameterObject {
  return { name, in: 'header', required: false, description, schema: { type: 'string', examples } };
}
