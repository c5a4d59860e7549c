import { BadRequestException, PayloadTooLargeException, UnsupportedMediaTypeException } from '@nestjs/common';
import {
  BindingConflictError,
  InvalidIdentifierError,
  ProviderBusyError,
  ProviderExistsError,
  ProviderNotFoundError,
  ResourceNotFoundError,
  StoreUnavailableError,
  UnknownSubjectError,
  formatResourceId,
  parseNamespaceId,
  parseProviderId,
} from '@palisade/domain';
import { ForbiddenError, IssuerUnavailableError, UnauthenticatedError } from '@palisade/guards';
import { InvalidRequestError, ProblemCatalogue, type ErrorResponses } from '@palisade/platform';
import { ADMIN_STATUSES } from '../admin/admin-statuses.js';
import { NamespaceNotFoundError } from '../admin/namespaces/namespace-not-found.error.js';
import { BindingNotFoundError } from '../bindings/binding-not-found.error.js';
import { TokenEndedError } from '../tokens/token-ended.error.js';
import { TokenNotFoundError } from '../tokens/token-not-found.error.js';
import { TOKEN_ID_EXAMPLE } from '../tokens/tokens.examples.js';

const PROVIDER = parseProviderId('default');
const NAMESPACE = parseNamespaceId('orders');
const GROUP = formatResourceId('Group', PROVIDER, 'eng');
const BINDING = { namespace: NAMESPACE, boundSubject: GROUP, relation: 'write' } as const;

/** When each problem is sent, in the words of docs/status-codes.md, and an error that leads to it. */
export const PROBLEMS = {
  VALIDATION_FAILED: [
    'fields are wrong; `errors` has one text for each',
    new BadRequestException(['namespace: expected a text of 1 to 63 characters without control characters']),
  ],
  INVALID_JSON: ['the body is not JSON', new BadRequestException('body', { cause: new SyntaxError('body') })],
  INVALID_REQUEST: [
    'a value is out of range or does not fit another one',
    new InvalidRequestError('cursor', 'the next_cursor of an earlier page'),
  ],
  INVALID_IDENTIFIER: [
    'a provider id, namespace or external id has the wrong form',
    new InvalidIdentifierError('provider id', 'Acme!', '1 to 63 of a-z, 0-9 and inner "-"'),
  ],
  UNKNOWN_SUBJECT: ['the group to bind does not exist', new UnknownSubjectError(GROUP)],
  UNAUTHENTICATED: ['no credential, or one that is wrong, expired or revoked', new UnauthenticatedError('invalid')],
  FORBIDDEN: [
    'the credential lacks the scope, or is not an admin of every namespace',
    new ForbiddenError('this operation needs the scope "operate"', 'operate'),
  ],
  NAMESPACE_NOT_FOUND: ['the namespace is not one that the caller administers', new NamespaceNotFoundError(NAMESPACE)],
  PROVIDER_NOT_FOUND: ['no such provider', new ProviderNotFoundError(PROVIDER)],
  RESOURCE_NOT_FOUND: ['no such user or group', new ResourceNotFoundError(PROVIDER, 'User', 'ada')],
  TOKEN_NOT_FOUND: ['the provider has no such token', new TokenNotFoundError(PROVIDER, TOKEN_ID_EXAMPLE)],
  BINDING_NOT_FOUND: ['there is no such binding', new BindingNotFoundError(BINDING)],
  PROVIDER_EXISTS: ['the provider id is taken', new ProviderExistsError(PROVIDER)],
  BINDING_CONFLICT: ['the group is bound already, from another source', new BindingConflictError(BINDING, 'import')],
  TOKEN_ENDED: ['the token is revoked or expired and cannot be rotated', new TokenEndedError(TOKEN_ID_EXAMPLE)],
  PAYLOAD_TOO_LARGE: ['the body exceeds 1 MiB', new PayloadTooLargeException('body: expected at most 1048576 bytes')],
  UNSUPPORTED_MEDIA_TYPE: [
    'the body is not `application/json`',
    new UnsupportedMediaTypeException('Content-Type: expected application/scim+json or application/json'),
  ],
  PROVIDER_BUSY: [
    'the provider has more operations under way than its share; `Retry-After` in seconds',
    new ProviderBusyError(PROVIDER, 200),
  ],
  INTERNAL_ERROR: ['a defect; there is a `request_id` and nothing else', new Error('unexpected')],
  STORE_UNAVAILABLE: [
    'the database cannot be reached, or all connections to it are in use; `Retry-After` in seconds',
    new StoreUnavailableError(1),
  ],
  ISSUER_UNAVAILABLE: [
    "the keys of a token's issuer cannot be loaded",
    new IssuerUnavailableError('https://login.example.com'),
  ],
} as const satisfies Readonly<Record<string, readonly [when: string, error: Error]>>;

export type ProblemCode = keyof typeof PROBLEMS;

/** What may be wrong with any request that has a body, whatever it asks for. */
export const REQUEST_PROBLEMS = [
  'VALIDATION_FAILED',
  'INVALID_JSON',
  'INVALID_REQUEST',
  'INVALID_IDENTIFIER',
] as const satisfies readonly ProblemCode[];

export const CATALOGUE = new ProblemCatalogue(PROBLEMS, ADMIN_STATUSES);

/** The responses to these problems, as the service sends them. */
export function problemResponses(...codes: readonly ProblemCode[]): ErrorResponses {
  return CATALOGUE.responses(...codes);
}
