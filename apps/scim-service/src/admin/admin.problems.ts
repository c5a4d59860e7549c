import {
  BadRequestException,
  HttpStatus,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { InvalidIdentifierError, StoreUnavailableError } from '@palisade/domain';
import { ForbiddenError, IssuerUnavailableError, UnauthenticatedError } from '@palisade/guards';
import { InvalidRequestError, ProblemCatalogue, type StatusByCode } from '@palisade/platform';

/**
 * What may go wrong in a feature, by code: the status, when it is sent (in the words of docs/status-codes.md) and an
 * error that leads to it.
 */
export type Problems = Readonly<Record<string, readonly [status: HttpStatus, when: string, example: Error]>>;

/** What any route of the admin API may answer. */
export const ADMIN_PROBLEMS = {
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
    'a provider id, namespace or external id has the wrong form',
    new InvalidIdentifierError('provider id', 'Acme!', '1 to 63 of a-z, 0-9 and inner "-"'),
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
    new UnsupportedMediaTypeException('Content-Type: expected application/scim+json or application/json'),
  ],
  INTERNAL_ERROR: [
    HttpStatus.INTERNAL_SERVER_ERROR,
    'a defect; there is a `request_id` and nothing else',
    new Error('unexpected'),
  ],
  STORE_UNAVAILABLE: [
    HttpStatus.SERVICE_UNAVAILABLE,
    'the database cannot be reached, or all connections to it are in use; `Retry-After` in seconds',
    new StoreUnavailableError(1),
  ],
  ISSUER_UNAVAILABLE: [
    HttpStatus.SERVICE_UNAVAILABLE,
    "the keys of a token's issuer cannot be loaded",
    new IssuerUnavailableError('https://login.example.com'),
  ],
} as const satisfies Problems;

export function statusesOf(problems: Problems): StatusByCode {
  return Object.fromEntries(Object.entries(problems).map(([code, [status]]) => [code, status]));
}

/** These problems as the API pages describe them and as the service sends them. */
export function catalogueOf<Table extends Problems>(
  problems: Table,
): ProblemCatalogue<Readonly<Record<keyof Table & string, readonly [when: string, error: Error]>>> {
  const entries = Object.entries(problems).map(([code, [, when, example]]) => [code, [when, example]] as const);
  const table = Object.fromEntries(entries) as Record<keyof Table & string, readonly [string, Error]>;
  return new ProblemCatalogue(table, statusesOf(problems));
}
