import { PayloadTooLargeException, UnsupportedMediaTypeException } from '@nestjs/common';
import {
  parseProviderId,
  PreconditionFailedError,
  ProviderBusyError,
  ResourceNotFoundError,
  StoreUnavailableError,
  UniquenessError,
} from '@palisade/domain';
import { ForbiddenError, UnauthenticatedError } from '@palisade/guards';
import { type ErrorCase, errorResponses, type ErrorResponses } from '@palisade/platform';
import { badRequest, SCIM_LIMITS, ScimError, type ScimType } from '@palisade/scim';
import { SCIM_MEDIA_TYPE } from '../scim-answer.js';
import { toErrorAnswer, toFailureAnswer } from '../scim-error-answer.js';

/** When an error is sent, in the words of docs/status-codes.md, and an error that leads to it. */
type ScimErrorCase = readonly [when: string, error: Error];

const MIB = 1024 * 1024;
const { maxBodyBytes, maxBulkBytes, maxBulkOperations } = SCIM_LIMITS;

/** Errors with a `scimType`, by it. */
const TYPED_ERRORS = {
  invalidFilter: [
    'the filter is malformed, names an unknown attribute, or compares with the wrong type',
    badRequest('invalidFilter', 'filter: expected a space and a value after "eq" at offset 11, found the end'),
  ],
  invalidSyntax: [
    'the body is not JSON or not the message expected, has an unknown attribute, or a header is malformed',
    badRequest('invalidSyntax', 'User: expected attributes that its schemas define, found "colour"'),
  ],
  invalidPath: [
    'a path leads to no attribute',
    badRequest('invalidPath', 'path: expected an attribute of User, found "colour"'),
  ],
  noTarget: [
    'a path with a filter selects nothing, or a remove has no path',
    badRequest('noTarget', 'emails[type eq "home"]: expected at least one value that the filter selects, found none'),
  ],
  invalidValue: [
    'a value has the wrong type or form, a required one is missing, or a member does not exist',
    badRequest('invalidValue', 'userName: expected a value, the attribute is required, found nothing'),
  ],
  mutability: [
    'the attribute is read-only or immutable',
    badRequest('mutability', 'groups: expected an attribute that can be modified, this one is readOnly'),
  ],
  tooMany: [
    'the filter or the operations would take too much work',
    badRequest('tooMany', 'Operations: expected fewer operations on long lists in one request'),
  ],
  invalidCount: ['`count` is not an integer', badRequest('invalidCount', 'count: expected an integer, found "many"')],
  invalidCursor: [
    'the cursor is invalid, or belongs to another query',
    badRequest('invalidCursor', 'cursor: expected a nextCursor value of an earlier answer to the same query'),
  ],
  sensitive: [
    'the filter or the sort is on an attribute that is never returned',
    new ScimError(403, 'sensitive', 'password: this attribute is never disclosed and cannot be searched by'),
  ],
  uniqueness: [
    'the name or identifier belongs to another resource',
    new UniquenessError('User', 'userName', 'ada@example.com'),
  ],
} as const satisfies Readonly<Partial<Record<ScimType, ScimErrorCase>>>;

const SCIM_ERRORS = {
  ...TYPED_ERRORS,
  unauthenticated: ['no credential, or one that is wrong, expired or revoked', new UnauthenticatedError('invalid')],
  forbidden: [
    'the credential belongs to a user',
    new ForbiddenError('a user may only use /Me and the discovery endpoints'),
  ],
  filtered: [
    'discovery cannot be filtered',
    new ScimError(403, undefined, 'filter: discovery endpoints cannot be filtered'),
  ],
  notFound: [
    'nothing of this provider has the id',
    new ResourceNotFoundError(parseProviderId('default'), 'User', 'ada'),
  ],
  preconditionFailed: [
    '`If-Match` names another version, or `If-None-Match` of a change names this one',
    new PreconditionFailedError('W/"3"', 'W/"4"'),
  ],
  tooLarge: [
    `the body exceeds ${maxBodyBytes / MIB} MiB`,
    new PayloadTooLargeException(`body: expected at most ${maxBodyBytes} bytes`),
  ],
  headersTooLarge: [
    'the URL and the headers are too large',
    new ScimError(431, undefined, 'the URL and the headers are too large'),
  ],
  bulkTooLarge: [
    `the body exceeds ${maxBulkBytes / MIB} MiB or has over ${maxBulkOperations} operations`,
    new ScimError(413, undefined, `Operations: expected at most ${maxBulkOperations}, found ${maxBulkOperations + 1}`),
  ],
  mediaType: [
    'the body is neither `application/scim+json` nor `application/json`',
    new UnsupportedMediaTypeException('Content-Type: expected application/scim+json or application/json'),
  ],
  notAUser: [
    'the credential is not a user, as those of provisioners are not',
    new ScimError(501, undefined, '/Me: this credential is not a user'),
  ],
  busy: [
    'the provider has more requests under way than its share',
    new ProviderBusyError(parseProviderId('default'), 200),
  ],
  unavailable: ['the store, or the issuer of the token, cannot be reached', new StoreUnavailableError(1)],
} as const satisfies Readonly<Record<string, ScimErrorCase>>;

export type ScimErrorName = keyof typeof SCIM_ERRORS;

export const SCIM_TYPES = Object.keys(TYPED_ERRORS);

/** The responses to these errors, as the service sends them. */
export function scimErrorResponses(...names: readonly ScimErrorName[]): ErrorResponses {
  return errorResponses(SCIM_MEDIA_TYPE, 'Error', names.map(toCase));
}

/** The response to a defect. */
export function scimFailureResponse(): ErrorResponses {
  const { status, body = {} } = toFailureAnswer('7d9f3c52');
  const when = 'a defect; the detail has the id of the request and nothing else';
  return errorResponses(SCIM_MEDIA_TYPE, 'Error', [{ name: 'failure', when, status, headers: {}, body }]);
}

function toCase(name: ScimErrorName): ErrorCase {
  const [when, error] = SCIM_ERRORS[name];
  const answer = toErrorAnswer(error);
  if (answer === undefined) {
    throw new TypeError(`the service has no answer to ${error.name}`);
  }
  return { name, when, status: answer.status, headers: answer.headers, body: answer.body ?? {} };
}
