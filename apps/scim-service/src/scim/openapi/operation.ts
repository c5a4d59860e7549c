import { applyDecorators } from '@nestjs/common';
import {
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiQuery,
  type ContentObject,
  type ExamplesObject,
  type ParameterObject,
  type ReferenceObject,
  type ResponseObject,
  type ResponsesObject,
  type SchemaObject,
} from '@nestjs/swagger';
import { schemaReference } from '@palisade/platform';
import { SCIM_MEDIA_TYPE } from '../scim-answer.js';
import { scimErrorResponses, type ScimErrorName } from './scim-errors.js';

export interface ScimOperation {
  /** Stable: generated clients name their methods by it. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly ParameterObject[];
  readonly body?: { readonly schema: string; readonly examples: ExamplesObject };
  readonly answers: ResponsesObject;
  readonly errors?: readonly ScimErrorName[];
}

/** Describes a handler in the API pages. */
export function DescribedScimOperation(operation: ScimOperation): MethodDecorator {
  const { id, summary, description, parameters = [], body, answers, errors = [] } = operation;
  return applyDecorators(
    ApiOperation({
      operationId: id,
      summary,
      description,
      ...(body && { requestBody: { required: true, content: bodyContent(body) } }),
      responses: { ...answers, ...scimErrorResponses(...errors) },
    }),
    ...parameters.map(describeParameter),
  );
}

/** An answer with a body; `headers` are those that come with one resource. */
export function answer(
  description: string,
  schema: SchemaObject | ReferenceObject,
  example: object,
  headers?: ResponseObject['headers'],
): ResponseObject {
  return { description, ...(headers && { headers }), content: { [SCIM_MEDIA_TYPE]: { schema, example } } };
}

// RFC 7644 §3.1: both are accepted, and strict clients send the former.
function bodyContent({ schema, examples }: NonNullable<ScimOperation['body']>): ContentObject {
  const content = { schema: schemaReference(schema), examples };
  return { [SCIM_MEDIA_TYPE]: content, 'application/json': content };
}

function describeParameter(parameter: ParameterObject): MethodDecorator {
  switch (parameter.in) {
    case 'path':
      return ApiParam(parameter);
    case 'header':
      return ApiHeader(parameter);
    default:
      return ApiQuery(parameter);
  }
}
