import {
  BadRequestException,
  HttpException,
  HttpStatus,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import type { OpenAPIObject, OperationObject } from '@nestjs/swagger';
import { InvalidIdentifierError, StoreUnavailableError } from '@palisade/domain';
import { ForbiddenError, IssuerUnavailableError, UnauthenticatedError } from '@palisade/guards';
import { TooManyRequestsException } from '../../http/fair-turns.js';
import { InvalidRequestError } from '../invalid-request.error.js';
import type { ErrorResponses } from './error-responses.js';
import { operationsOf, responseReference } from './documents.js';
import { ProblemCatalogue, type ProblemTable } from './problem-catalogue.js';

/** RFC 6585 §5. */
const HTTP_HEADERS_TOO_LARGE = 431 as HttpStatus;

/** What any route of an admin API may answer. */
export const COMMON_PROBLEMS = {
  VALIDATION_FAILED: [
    HttpStatus.BAD_REQUEST,
    'fields are wrong; `errors` has one text for each',
    new BadRequestException(['namespace: expected a text of 1 to 63 characters without control characters']),
  ],
  INVALID_JSON: [
    HttpStatus.BAD_REQUEST,
    'the body is not JSON',
    new BadRequestException('body', { cause: new SyntaxError('body') }),
  ],
  INVALID_REQUEST: [
    HttpStatus.BAD_REQUEST,
    'a value is out of range or does not fit another one',
    new InvalidRequestError('cursor', 'the next_cursor of an earlier page'),
  ],
  INVALID_IDENTIFIER: [
    HttpStatus.BAD_REQUEST,
    'an id, a name or a pattern has the wrong form',
    new InvalidIdentifierError('namespace', 'Acme!', '1 to 63 of a-z, 0-9 and inner "-"'),
  ],
  UNAUTHENTICATED: [
    HttpStatus.UNAUTHORIZED,
    'no credential, or one that is wrong, expired or revoked',
    new UnauthenticatedError('invalid'),
  ],
  FORBIDDEN: [
    HttpStatus.FORBIDDEN,
    'the credential lacks the scope, or is not an admin of every namespace',
    new ForbiddenError('this operation needs the scope "operate"', 'operate'),
  ],
  PAYLOAD_TOO_LARGE: [
    HttpStatus.PAYLOAD_TOO_LARGE,
    'the body exceeds 1 MiB',
    new PayloadTooLargeException('body: expected at most 1048576 bytes'),
  ],
  UNSUPPORTED_MEDIA_TYPE: [
    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
    'the body is not `application/json`',
    new UnsupportedMediaTypeException('Content-Type: expected application/json'),
  ],
  TOO_MANY_REQUESTS: [
    HttpStatus.TOO_MANY_REQUESTS,
    'a thousand requests of the caller wait for their turn; `Retry-After` in seconds',
    new TooManyRequestsException(),
  ],
  HEADERS_TOO_LARGE: [
    HTTP_HEADERS_TOO_LARGE,
    'the URL and the headers together exceed 16 KiB (control plane)',
    new HttpException('the URL and the headers are too large', HTTP_HEADERS_TOO_LARGE),
  ],
  INTERNAL_ERROR: [
    HttpStatus.INTERNAL_SERVER_ERROR,
    'a defect; there is a `request_id` and nothing else',
    new Error('unexpected'),
  ],
  STORE_UNAVAILABLE: [
    HttpStatus.SERVICE_UNAVAILABLE,
    'the database cannot be reached, has no disk or memory left for a change, or all connections to it are in use; `Retry-After` in seconds',
    new StoreUnavailableError(1),
  ],
  ISSUER_UNAVAILABLE: [
    HttpStatus.SERVICE_UNAVAILABLE,
    "the keys of a token's issuer cannot be loaded",
    new IssuerUnavailableError('https://login.example.com'),
  ],
} as const satisfies ProblemTable;

/** The responses that many routes of an admin API share, by component name. */
const COMMON = {
  InvalidParameters: [400, ['VALIDATION_FAILED', 'INVALID_REQUEST', 'INVALID_IDENTIFIER']],
  InvalidRequest: [400, ['VALIDATION_FAILED', 'INVALID_JSON', 'INVALID_REQUEST', 'INVALID_IDENTIFIER']],
  Unauthenticated: [401, ['UNAUTHENTICATED']],
  Forbidden: [403, ['FORBIDDEN']],
  TooLarge: [413, ['PAYLOAD_TOO_LARGE']],
  UnsupportedMediaType: [415, ['UNSUPPORTED_MEDIA_TYPE']],
  TooMany: [429, ['TOO_MANY_REQUESTS']],
  HeadersTooLarge: [431, ['HEADERS_TOO_LARGE']],
  Failure: [500, ['INTERNAL_ERROR']],
  Unavailable: [503, ['STORE_UNAVAILABLE', 'ISSUER_UNAVAILABLE']],
} as const satisfies Readonly<
  Record<string, readonly [status: number, codes: readonly (keyof typeof COMMON_PROBLEMS)[]]>
>;

type Name = keyof typeof COMMON;

/** The components that {@link addCommonProblems} points to. */
export function commonProblems(): ErrorResponses {
  const catalogue = new ProblemCatalogue(COMMON_PROBLEMS);
  return Object.fromEntries(
    Object.entries(COMMON).flatMap(([name, [status, codes]]) => {
      const response = catalogue.responses(...codes)[status];
      return response === undefined ? [] : [[name, response]];
    }),
  );
}

/** Adds to each operation for admins the errors that follow from what it is: guarded, with a body or without. */
export function addCommonProblems(document: OpenAPIObject): void {
  for (const [, operation] of operationsOf(document)) {
    for (const name of commonTo(operation)) {
      operation.responses[COMMON[name][0]] ??= responseReference(name);
    }
  }
}

function commonTo({ security = [], requestBody }: OperationObject): readonly Name[] {
  if (!security.some((requirement) => 'admin' in requirement)) {
    return ['HeadersTooLarge', 'Failure'];
  }
  const ofBodies = ['InvalidRequest', 'TooLarge', 'UnsupportedMediaType'] as const;
  const ofOthers = ['InvalidParameters'] as const;
  return [
    ...(requestBody === undefined ? ofOthers : ofBodies),
    'Unauthenticated',
    'Forbidden',
    'TooMany',
    'HeadersTooLarge',
    'Failure',
    'Unavailable',
  ];
}
