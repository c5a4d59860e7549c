import { All, applyDecorators, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { ApiExcludeEndpoint, type ResponseObject } from '@nestjs/swagger';
import type { ResourceType } from '@palisade/domain';
import { schemaReference } from '@palisade/platform';
import { BULK_ANSWER, pageOf, RESOURCE_EXAMPLES } from './openapi/answer-examples.js';
import { listOf } from './openapi/message-schemas.js';
import { answer, DescribedScimOperation } from './openapi/operation.js';
import {
  IF_CHANGED,
  IF_MATCH,
  IF_NONE_MATCH,
  PREFER,
  QUERY_PARAMETERS,
  RESOURCE_HEADERS,
  resourceId,
  SELECTION_PARAMETERS,
} from './openapi/parameters.js';
import { REQUEST_EXAMPLES } from './openapi/request-examples.js';
import { storedResource } from './openapi/resource-schemas.js';

/** What a query is over: one type of resources, or all of them. */
type Scope = ResourceType | 'all';

const PLURALS: Readonly<Record<Scope, string>> = { User: 'Users', Group: 'Groups', all: 'Resources' };
const TEXTS: Readonly<Record<Scope, string>> = { User: 'users', Group: 'groups', all: 'users and groups' };

const QUERY_ERRORS = [
  'invalidFilter',
  'invalidPath',
  'invalidValue',
  'invalidCount',
  'invalidCursor',
  'sensitive',
  'forbidden',
] as const;

/** Lists resources (RFC 7644 §3.4.2). */
export function ScimList(scope: Scope): MethodDecorator {
  return applyDecorators(
    Get(),
    DescribedScimOperation({
      id: `list${PLURALS[scope]}`,
      summary: `List or find ${TEXTS[scope]}`,
      parameters: QUERY_PARAMETERS,
      answers: { 200: page(scope) },
      errors: QUERY_ERRORS,
    }),
  );
}

/** Lists resources by a query in the body (RFC 7644 §3.4.3). */
export function ScimSearch(scope: Scope): MethodDecorator {
  return applyDecorators(
    Post('.search'),
    DescribedScimOperation({
      id: `search${PLURALS[scope]}`,
      summary: `Find ${TEXTS[scope]} by a query in the body`,
      description: 'Like a query in the URL, which may get too long there, or tell too much to whoever logs URLs.',
      body: { schema: 'SearchRequest', examples: REQUEST_EXAMPLES.search[scope] },
      answers: { 200: page(scope) },
      errors: ['invalidSyntax', ...QUERY_ERRORS],
    }),
  );
}

/** Creates a resource (RFC 7644 §3.3). */
export function ScimCreate(type: ResourceType): MethodDecorator {
  return applyDecorators(
    Post(),
    DescribedScimOperation({
      id: `create${type}`,
      summary: `Create a ${type.toLowerCase()}`,
      description:
        'Repeated with the same `externalId`, it answers the first result and changes nothing, or answers 409 if the ' +
        'provider is set so. The `id` never changes; without `externalId` it is generated.',
      parameters: [...SELECTION_PARAMETERS, PREFER],
      body: { schema: type, examples: REQUEST_EXAMPLES.create[type] },
      answers: { 201: resource('Created, or it existed already. Without a body if `Prefer` says so', type) },
      errors: ['invalidSyntax', 'invalidValue', 'forbidden', 'uniqueness'],
    }),
  );
}

/** Reads a resource (RFC 7644 §3.4.1). */
export function ScimGet(type: ResourceType): MethodDecorator {
  return applyDecorators(
    Get(':id'),
    DescribedScimOperation({
      id: `get${type}`,
      summary: `Read a ${type.toLowerCase()}`,
      parameters: [resourceId(type), ...SELECTION_PARAMETERS, IF_MATCH, IF_CHANGED],
      answers: { 200: resource(`The ${type.toLowerCase()}`, type), 304: unchanged() },
      errors: ['invalidSyntax', 'invalidValue', 'forbidden', 'notFound', 'preconditionFailed'],
    }),
  );
}

/** Replaces a resource (RFC 7644 §3.5.1). */
export function ScimReplace(type: ResourceType): MethodDecorator {
  return applyDecorators(
    Put(':id'),
    DescribedScimOperation({
      id: `replace${type}`,
      summary: `Replace a ${type.toLowerCase()}`,
      description:
        'Attributes that the body leaves out stay as they are; `null` and `[]` clear them. Read-only ones are ignored.',
      parameters: [resourceId(type), ...SELECTION_PARAMETERS, IF_MATCH, IF_NONE_MATCH, PREFER],
      body: { schema: type, examples: REQUEST_EXAMPLES.replace[type] },
      answers: { 200: resource('Replaced', type), 204: withoutBody('Replaced; `Prefer` asks for no body') },
      errors: [
        'invalidSyntax',
        'invalidValue',
        'mutability',
        'forbidden',
        'notFound',
        'uniqueness',
        'preconditionFailed',
      ],
    }),
  );
}

/** Changes parts of a resource (RFC 7644 §3.5.2). */
export function ScimPatch(type: ResourceType): MethodDecorator {
  return applyDecorators(
    Patch(':id'),
    DescribedScimOperation({
      id: `patch${type}`,
      summary: `Change a ${type.toLowerCase()}`,
      description: 'All of the operations take effect, or none. What changes nothing leaves the version alone.',
      parameters: [resourceId(type), ...SELECTION_PARAMETERS, IF_MATCH, IF_NONE_MATCH, PREFER],
      body: { schema: 'PatchOp', examples: REQUEST_EXAMPLES.patch[type] },
      answers: {
        200: resource('Changed', type),
        204: withoutBody(
          type === 'User'
            ? 'Changed; `Prefer` asks for no body'
            : 'Changed; `Prefer` asks for no body, or the dialect of the provider is `entra` or `okta`',
        ),
      },
      errors: [
        'invalidSyntax',
        'invalidPath',
        'invalidFilter',
        'noTarget',
        'invalidValue',
        'mutability',
        'tooMany',
        'sensitive',
        'forbidden',
        'notFound',
        'uniqueness',
        'preconditionFailed',
      ],
    }),
  );
}

/** Deletes a resource (RFC 7644 §3.6). */
export function ScimDelete(type: ResourceType): MethodDecorator {
  return applyDecorators(
    Delete(':id'),
    DescribedScimOperation({
      id: `delete${type}`,
      summary: `Delete a ${type.toLowerCase()}`,
      description:
        type === 'User' ? 'Memberships go with the user.' : 'Memberships go with the group. Bindings stay, and dangle.',
      parameters: [resourceId(type), IF_MATCH, IF_NONE_MATCH],
      answers: { 204: { description: 'Deleted' } },
      errors: ['invalidSyntax', 'forbidden', 'notFound', 'preconditionFailed'],
    }),
  );
}

/** Carries out many operations (RFC 7644 §3.7). */
export function ScimBulk(): MethodDecorator {
  return applyDecorators(
    Post('Bulk'),
    DescribedScimOperation({
      id: 'runBulk',
      summary: 'Carry out many operations in one request',
      description: 'Each succeeds or fails alone, with a status of its own. One that refers to another runs after it.',
      body: { schema: 'BulkRequest', examples: REQUEST_EXAMPLES.bulk },
      answers: { 200: answer('What came of each operation', schemaReference('BulkResponse'), BULK_ANSWER) },
      errors: ['invalidSyntax', 'invalidValue', 'forbidden', 'bulkTooLarge'],
    }),
  );
}

/** Reads the user behind the credential (RFC 7644 §3.11). */
export function ScimMe(): MethodDecorator {
  return applyDecorators(
    Get(),
    DescribedScimOperation({
      id: 'getMe',
      summary: 'Read the user behind the credential',
      description: 'For JWTs of an issuer that the provider trusts with the role `user`.',
      parameters: [...SELECTION_PARAMETERS, IF_MATCH, IF_CHANGED],
      answers: { 200: resource('The user', 'User'), 304: unchanged() },
      errors: ['invalidSyntax', 'invalidValue', 'notFound', 'preconditionFailed', 'notAUser'],
    }),
  );
}

/** Says what other methods the path has (RFC 9110 §15.5.6); it does not belong to the API, so the pages do not show it. */
export function ScimOtherMethods(paths?: string | string[]): MethodDecorator {
  return applyDecorators(paths === undefined ? All() : All(paths), ApiExcludeEndpoint());
}

function page(scope: Scope): ResponseObject {
  const types = scope === 'all' ? (['User', 'Group'] as const) : ([scope] as const);
  const example = pageOf(types.map((type) => RESOURCE_EXAMPLES[type]));
  return answer('One page; empty when nothing is found', listOf(...types.map(storedResource)), example);
}

function resource(description: string, type: ResourceType): ResponseObject {
  return answer(description, storedResource(type), RESOURCE_EXAMPLES[type], RESOURCE_HEADERS);
}

function withoutBody(description: string): ResponseObject {
  return { description, headers: RESOURCE_HEADERS };
}

function unchanged(): ResponseObject {
  return withoutBody('Still the version that `If-None-Match` names');
}
