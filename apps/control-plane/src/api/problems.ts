import { BadRequestException, PayloadTooLargeException, UnsupportedMediaTypeException } from '@nestjs/common';
import {
  InvalidIdentifierError,
  MAX_WILDCARD_PATTERNS,
  ManagedElsewhereError,
  NamespaceOverlapError,
  PreconditionFailedError,
  ProxyTakenError,
  StoreUnavailableError,
  TenantConflictError,
  TenantNotFoundError,
  TooManyPatternsError,
  parseNamespaceId,
  parseNamespacePattern,
  parsePoolName,
  parseProxyId,
  parseTenantId,
  type LoadBalancerVersion,
} from '@palisade/domain';
import { ForbiddenError, IssuerUnavailableError, UnauthenticatedError } from '@palisade/guards';
import { InvalidRequestError, ProblemCatalogue, type CommonProblemTable } from '@palisade/platform';
import {
  LeaderUnavailableError,
  LoadBalancerNotConfiguredError,
  ReloadUnsuccessfulError,
} from '../load-balancer/load-balancer.errors.js';
import { PoolNotFoundError } from '../pools/pools.errors.js';
import { ProxyNotFoundError } from '../proxies/proxies.errors.js';
import { NamespaceNotFoundError, NoRouteError, UnknownPoolError } from '../routing/routing.errors.js';
import { PoolRequiredError, SingleTenantError } from '../tenants/tenants.errors.js';
import { CONTROL_PLANE_STATUSES } from './statuses.js';

const TENANT = parseTenantId('acme');
const NAMESPACE = parseNamespaceId('acme-orders');
const PROXY = parseProxyId('standard-1');
const STANDARD = parsePoolName('standard');
const UNKNOWN = parsePoolName('gold');
const OTHER = { tenant: parseTenantId('globex'), pattern: parseNamespacePattern('acme-eu') };

const VERSION: LoadBalancerVersion = {
  id: '0199a3c4-7d9f-7000-8000-3c5200000000',
  revision: 42,
  hash: '',
  type: 'haproxy',
  method: 'reload',
  result: 'failed',
  actor: 'ann@example.com',
  at: new Date(0),
  durationMs: 180,
};

/** When each problem is sent, in the words of docs/status-codes.md, and an error that leads to it. */
export const PROBLEMS = {
  VALIDATION_FAILED: [
    'fields are wrong; `errors` has one text for each',
    new BadRequestException(['tenant_id: expected a text of 1 to 63 characters without control characters']),
  ],
  INVALID_JSON: ['the body is not JSON', new BadRequestException('body', { cause: new SyntaxError('body') })],
  INVALID_REQUEST: [
    'a value is out of range or does not fit another one',
    new InvalidRequestError('namespace_pattern', 'exactly one of namespace_pattern and namespace_patterns'),
  ],
  INVALID_IDENTIFIER: [
    'a tenant id, namespace, pattern or name of a pool has the wrong form',
    new InvalidIdentifierError('tenant id', 'Acme!', '1 to 63 of a-z, 0-9 and inner "-"'),
  ],
  UNKNOWN_POOL: ['the configuration has no such pool', new UnknownPoolError(UNKNOWN, [STANDARD])],
  POOL_REQUIRED: ['nothing but the request could say the pool, and it does not', new PoolRequiredError(TENANT)],
  UNAUTHENTICATED: ['no credential, or one that is wrong, expired or revoked', new UnauthenticatedError('invalid')],
  FORBIDDEN: [
    'the credential lacks the scope, or is not an admin of every namespace',
    new ForbiddenError('this operation needs the scope "admin"', 'admin'),
  ],
  NAMESPACE_NOT_FOUND: ['the namespace is not one that the caller administers', new NamespaceNotFoundError(NAMESPACE)],
  NO_ROUTE: ['nothing says where the namespace goes', new NoRouteError(NAMESPACE)],
  POOL_NOT_FOUND: ['no such pool', new PoolNotFoundError(UNKNOWN)],
  PROXY_NOT_FOUND: ['no such proxy, or it was forgotten: register again', new ProxyNotFoundError(PROXY)],
  TENANT_NOT_FOUND: ['no such tenant among those that the caller may see', new TenantNotFoundError(TENANT)],
  MANAGED_ELSEWHERE: [
    'another source owns it, and would undo the change',
    new ManagedElsewhereError('tenant', TENANT, 'kubernetes'),
  ],
  NAMESPACE_OVERLAP: [
    'some namespace would belong to two tenants',
    new NamespaceOverlapError(parseNamespacePattern('acme-*'), OTHER),
  ],
  SINGLE_TENANT: ['the installation serves a single tenant', new SingleTenantError()],
  PROXY_TAKEN: ['a proxy of this id was registered with another credential', new ProxyTakenError(PROXY)],
  TENANT_CONFLICT: ['the tenant is registered with other values', new TenantConflictError(TENANT)],
  TOO_MANY_PATTERNS: [
    'there are as many patterns of neither form `name` nor `prefix*` as may be',
    new TooManyPatternsError(MAX_WILDCARD_PATTERNS),
  ],
  PRECONDITION_FAILED: ['the state is not the one that the request names', new PreconditionFailedError('3', '4')],
  PAYLOAD_TOO_LARGE: ['the body exceeds 1 MiB', new PayloadTooLargeException('body: expected at most 1048576 bytes')],
  UNSUPPORTED_MEDIA_TYPE: [
    'the body is not `application/json`',
    new UnsupportedMediaTypeException('Content-Type: expected application/json'),
  ],
  INTERNAL_ERROR: ['a defect; there is a `request_id` and nothing else', new Error('unexpected')],
  LOAD_BALANCER_NOT_CONFIGURED: ['the configuration has no `load_balancer`', new LoadBalancerNotConfiguredError()],
  LOAD_BALANCER_REJECTED: [
    'the configuration cannot be made or was found faulty; nothing was changed',
    new ReloadUnsuccessfulError({ ...VERSION, reason: 'haproxy ended with exit code 1: …' }, 'rejected'),
  ],
  LOAD_BALANCER_ROLLED_BACK: [
    'the load balancer did not take the configuration; the one before was brought back',
    new ReloadUnsuccessfulError({ ...VERSION, reason: 'HAProxy could not load the configuration' }, 'rolled_back'),
  ],
  LOAD_BALANCER_FAILED: [
    'the load balancer does not run, or neither took the configuration nor could be brought back',
    new ReloadUnsuccessfulError({ ...VERSION, reason: 'HAProxy does not answer' }, 'failed'),
  ],
  LEADER_UNAVAILABLE: [
    'nobody leads, or the leader does not answer; `Retry-After` in seconds',
    new LeaderUnavailableError(5),
  ],
  STORE_UNAVAILABLE: ['the database cannot be reached; `Retry-After` in seconds', new StoreUnavailableError(1)],
  ISSUER_UNAVAILABLE: [
    "the keys of a token's issuer cannot be loaded",
    new IssuerUnavailableError('https://login.example.com'),
  ],
} as const satisfies CommonProblemTable;

export type ProblemCode = keyof typeof PROBLEMS;

export const CATALOGUE = new ProblemCatalogue(PROBLEMS, CONTROL_PLANE_STATUSES);
